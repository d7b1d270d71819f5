import { isObject } from "../../core/json.ts";
import { isCount, isText, maybe } from "./check.ts";
import { contentProblem } from "./check_message.ts";

/** What is wrong with an error record; undefined when nothing is. */
export function failureProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  for (const field of ["at", "kind", "question", "line"]) {
    if (!isText(value[field])) return `"${field}" is not text`;
  }
  if (!isCount(value.turns)) return `"turns" is not a count`;
  return maybe(value, "raw", isText) ??
    (value.prompt === undefined
      ? undefined
      : contentProblem(value.prompt, "prompt"));
}
