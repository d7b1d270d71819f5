import { isObject } from "../../core/json.ts";
import { maybe } from "./check.ts";

/** What is wrong with a count of tokens. */
export function usageProblem(value: unknown): string | undefined {
  return isObject(value) && Number.isFinite(value.input) &&
      Number.isFinite(value.output) &&
      !maybe(value, "cached", Number.isFinite)
    ? undefined
    : `"usage" is not {input, output, cached?} in tokens`;
}
