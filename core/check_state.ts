import {
  type Fields,
  isCount,
  isNumber,
  isText,
  isTime,
  maybe,
  textsProblem,
} from "./check.ts";
import { failureProblem } from "./check_failure.ts";
import { storedProblem, usageProblem } from "./check_message.ts";
import { orderProblem } from "./check_order.ts";
import type { StoredMessage } from "./message.ts";
import { isObject } from "./json.ts";

/** What is wrong with a stored state; undefined when nothing is. */
export function stateProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  return metadataProblem(value) ??
    listProblem(value, "messages", "message", storedProblem) ??
    listProblem(value, "errors", "error", failureProblem) ??
    orderProblem(value.messages as StoredMessage[], Number(value.seq));
}

/** What is wrong with all of a state but its messages and errors. */
export function metadataProblem(value: Fields): string | undefined {
  const problem = textsProblem(value, ["title", "cwd", "model"]);
  if (problem) return problem;
  for (const field of ["createdAt", "updatedAt"]) {
    if (!isTime(value[field])) return `"${field}" is not a time`;
  }
  for (const field of ["turns", "seq"]) {
    if (!isCount(value[field])) return `"${field}" is not a count`;
  }
  return maybe(value, "open", Number.isSafeInteger) ??
    maybe(value, "parent", isText) ??
    maybe(value, "contextTokens", isNumber) ??
    maybe(value, "truncated", (v) => typeof v === "boolean") ??
    usageProblem(value.usage);
}

function listProblem(
  value: Fields,
  field: string,
  item: string,
  problemOf: (value: unknown) => string | undefined,
): string | undefined {
  const list = value[field];
  if (!Array.isArray(list)) return `"${field}" is not a list`;
  for (const [i, one] of list.entries()) {
    const problem = problemOf(one);
    if (problem) return `${item} ${i + 1}: ${problem}`;
  }
  return undefined;
}
