import type { SessionEvent } from "./event.ts";
import { empty, type SessionState, type StoredFailure } from "./fold.ts";
import { foldAll } from "./fold_all.ts";
import { isObject } from "./json.ts";
import { summarize, type Summary } from "./store.ts";

/** A state of which only what a summary tells counts: its size is bounded. */
export type Light = SessionState;

/** The light state after more events. A store that keeps it lists without reading. */
export function lighten(
  events: readonly SessionEvent[],
  before: Light = empty(),
): Light {
  const state = foldAll(events, before);
  return { ...state, messages: [], errors: noErrors(state.errors.length) };
}

/** What is kept of a light state, as JSON; without an id, which may change. */
export interface Gist extends Omit<Summary, "id" | "bytes" | "unreadable"> {
  /** The last event it knows. */
  readonly seq: number;
}

/** What to keep of a light state. */
export function gistOf(light: Light): Gist {
  const { id: _, ...rest } = summarize("", light);
  return { seq: light.seq, ...rest };
}

/** The light state that was kept; undefined when `value` is no gist. */
export function fromGist(value: unknown): Light | undefined {
  if (!isObject(value)) return undefined;
  const { title, createdAt, updatedAt, cwd, model } = value;
  const texts = { title, createdAt, updatedAt, cwd, model };
  if (Object.values(texts).some((t) => typeof t !== "string")) return undefined;
  const { seq, turns, errors, usage } = value;
  if (![seq, turns, errors].every(isCount) || !isUsage(usage)) return undefined;
  return {
    ...empty(),
    ...texts as Record<keyof typeof texts, string>,
    seq: Number(seq),
    turns: Number(turns),
    errors: noErrors(Number(errors)),
    usage,
  };
}

function noErrors(count: number): readonly StoredFailure[] {
  return Array.from({ length: count }, () => NO_ERROR);
}

const NO_ERROR: StoredFailure = {
  at: "",
  kind: "generation",
  turns: 0,
  question: "",
  line: "",
};

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isUsage(value: unknown): value is SessionState["usage"] {
  return isObject(value) && Number.isFinite(value.input) &&
    Number.isFinite(value.output) &&
    (value.cached === undefined || Number.isFinite(value.cached));
}
