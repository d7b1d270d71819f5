import { safeParse } from "zod/v4/core";
import { issueLine } from "../../core/issue.ts";
import type { Checked, Schema } from "../../core/plugin.ts";
import type { Desk } from "./desk.ts";
import { invalid } from "./fault.ts";

/** How a method is answered. */
export type Method = (
  desk: Desk,
  params: unknown,
  signal: AbortSignal,
) => object | Promise<object>;

/** A method that sees only params that are as they should be. */
export function method<S extends Schema>(
  schema: S,
  run: (
    desk: Desk,
    params: Checked<S>,
    signal: AbortSignal,
  ) => object | Promise<object>,
): Method {
  return (desk, params, signal) => run(desk, checked(schema, params), signal);
}

/** `params`, without what is not known; throws a RequestError that says what is wrong and not what was sent. */
export function checked<S extends Schema>(
  schema: S,
  params: unknown,
): Checked<S> {
  const result = safeParse(schema, params ?? {}, { reportInput: true });
  if (result.success) return result.data as Checked<S>;
  const [issue] = result.error.issues;
  throw invalid(`Invalid params: ${issue ? issueLine(issue) : "wrong shape"}`);
}
