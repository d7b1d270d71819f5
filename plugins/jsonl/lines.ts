import { isId } from "../../core/id.ts";
import type { SessionEvent } from "../../core/event.ts";
import { isObject, tryParse } from "../../core/json.ts";
import { fromGist, gistOf, type Light } from "../../core/light.ts";
import { identityProblem } from "../files/identity.ts";

/** The format this version writes; it reads no newer one. */
export const VERSION = 1;

/** The first line of a file. */
export function headerLine(id: string, first: SessionEvent): string {
  const { cwd, parent } = originOf(first);
  return line({
    type: "session",
    version: VERSION,
    id,
    timestamp: first.at,
    cwd,
    ...(parent !== undefined && {
      parentSession: `${parent}.jsonl`, // beside this one
      parentSessionId: parent,
    }),
  });
}

function originOf(
  first: SessionEvent,
): { readonly cwd: string; readonly parent?: string } {
  if (first.type === "opened") return first;
  return first.type === "restored" ? first.state : { cwd: "" };
}

/** Said on every line but the last of events that were added together: all count, or none. */
export const MORE = "$more";

/** Events that are added together, one a line. */
export function eventLines(events: readonly SessionEvent[]): string {
  const last = events.length - 1;
  return events.map((event, i) => {
    const { type, seq, at, ...rest } = event;
    const more = i < last ? { [MORE]: true } : {};
    return line({ type, seq, at, ...rest, ...more });
  }).join("");
}

/** What a listing shows of a session, so that it need not read the whole file. */
export function summaryLine(light: Light): string {
  const { seq: upTo, ...rest } = gistOf(light);
  return line({ type: "summary", upTo, ...rest });
}

/** The light state that a summary line tells; undefined when it is none. */
export function fromSummary(text: string): Light | undefined {
  const value = tryParse(text);
  return isObject(value) ? fromGist({ ...value, seq: value.upTo }) : undefined;
}

function line(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`;
}

/** Why the first line is no header of the session `id`; undefined when it is. */
export function headerProblem(value: unknown, id: string): string | undefined {
  if (!isObject(value) || value.type !== "session") {
    return `its first line is no header ({"type":"session",…})`;
  }
  return identityProblem(value, id, VERSION);
}

/** The header of the same session under another id; undefined when `text` is no header. */
export function renamedHeader(text: string, id: string): string | undefined {
  const value = tryParse(text);
  return isObject(value) && typeof value.id === "string" && isId(value.id)
    ? line({ ...value, id })
    : undefined;
}
