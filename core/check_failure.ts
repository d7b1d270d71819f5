import { isCount, isText, maybe, textsProblem } from "./check.ts";
import { contentProblem } from "./check_message.ts";
import { isObject } from "./json.ts";

/** What is wrong with an error record; undefined when nothing is. */
export function failureProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  const problem = textsProblem(value, ["at", "kind", "question", "line"]);
  if (problem) return problem;
  if (!isCount(value.turns)) return `"turns" is not a count`;
  return maybe(value, "raw", isText) ??
    (value.prompt === undefined
      ? undefined
      : contentProblem(value.prompt, "prompt"));
}
