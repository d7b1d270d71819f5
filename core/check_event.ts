import {
  type Fields,
  isNumber,
  isText,
  isTime,
  maybe,
  textsProblem,
} from "./check.ts";
import { failureProblem } from "./check_failure.ts";
import { messageProblem } from "./check_message.ts";
import { stateProblem } from "./check_state.ts";
import type { SessionEvent } from "./event.ts";
import { isObject } from "./json.ts";

/**
 * Why a stored value is no session event; undefined when it is one. Fields and
 * event types that this version does not know are fine.
 */
export function eventProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  if (!Number.isSafeInteger(value.seq)) return `"seq" is not a whole number`;
  if (!isTime(value.at)) return `"at" is not a time`;
  if (!isText(value.type)) return `"type" is not text`;
  return Object.hasOwn(EVENTS, value.type)
    ? EVENTS[value.type]?.(value)
    : undefined;
}

/** Throws when an event, once stored, could not be read back. */
export function checkEvents(
  id: string,
  events: readonly SessionEvent[],
): void {
  for (const event of events) {
    const problem = eventProblem(event);
    if (problem === undefined) continue;
    throw new TypeError(
      `Cannot add event ${event.seq} to session ${id}: ${problem}`,
    );
  }
}

const EVENTS: Readonly<Record<string, (event: Fields) => string | undefined>> =
  {
    opened: (event) =>
      textsProblem(event, ["cwd", "model"]) ?? maybe(event, "parent", isText),
    message: ({ message }) => within("message", messageProblem(message)),
    settled: (event) => textsProblem(event, ["reason"]),
    withdrawn: (event) => numberProblem(event, "from"),
    compacted: (event) =>
      textsProblem(event, ["summary"]) ?? numberProblem(event, "keepFrom"),
    failed: failureProblem,
    titled: (event) => textsProblem(event, ["title"]),
    restored: ({ state }) => within("state", stateProblem(state)),
  };

function within(field: string, problem: string | undefined) {
  return problem && `its ${field}: ${problem}`;
}

function numberProblem(event: Fields, field: string): string | undefined {
  return isNumber(event[field]) ? undefined : `"${field}" is not a number`;
}
