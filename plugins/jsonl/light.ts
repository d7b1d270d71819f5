import type { SessionEvent } from "../../core/event.ts";
import {
  empty,
  type SessionState,
  type StoredFailure,
} from "../../core/fold.ts";
import { foldAll } from "../../core/fold_all.ts";
import { summarize, type Summary } from "../../core/store.ts";
import { isObject, tryParse } from "./lines.ts";

/** A state of which only what a listing shows counts. */
export type Light = SessionState;

/** The light state after more events; it does not grow with them. */
export function lighten(
  events: readonly SessionEvent[],
  before: Light = empty(),
): Light {
  const state = foldAll(events, before);
  return { ...state, messages: [], errors: state.errors.map(() => NO_ERROR) };
}

/** The light state that a summary line tells; undefined when it is none. */
export function fromSummary(text: string): Light | undefined {
  const value = tryParse(text);
  if (!isObject(value) || value.type !== "summary") return undefined;
  const { title, createdAt, updatedAt, cwd, model } = value;
  const texts = { title, createdAt, updatedAt, cwd, model };
  if (Object.values(texts).some((t) => typeof t !== "string")) return undefined;
  const { upTo: seq, turns, errors, usage } = value;
  if (![seq, turns, errors].every(isCount) || !isUsage(usage)) return undefined;
  return {
    ...empty(),
    ...texts as Record<keyof typeof texts, string>,
    seq: Number(seq),
    turns: Number(turns),
    errors: Array.from({ length: Number(errors) }, () => NO_ERROR),
    usage,
  };
}

/** What a listing shows. */
export function summaryOf(id: string, light: Light, bytes: number): Summary {
  return { ...summarize(id, light), bytes };
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
  return isObject(value) && isCount(value.input) && isCount(value.output) &&
    (value.cached === undefined || isCount(value.cached));
}
