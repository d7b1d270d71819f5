import type { SessionState } from "../../core/fold.ts";
import { isObject } from "../../core/json.ts";
import { identityProblem } from "../files/identity.ts";
import { isCount, isText, maybe } from "./check.ts";
import { usageProblem } from "./check_usage.ts";

/** The format this version writes; it reads no newer one. */
export const VERSION = 1;

/** The metadata of a state, in the order of the file. */
export function headOf(
  id: string,
  state: SessionState,
): Readonly<Record<string, unknown>> {
  const { title, createdAt, updatedAt, cwd, model, turns, usage } = state;
  const { seq, open, contextTokens, truncated } = state;
  return {
    version: VERSION,
    id,
    title,
    createdAt,
    updatedAt,
    cwd,
    model,
    turns,
    errorCount: state.errors.length,
    usage,
    seq,
    ...(open !== undefined && { open }),
    contextTokens,
    // Left out when false, which is the rule; the reader fills it in.
    ...(truncated && { truncated }),
  };
}

/** Why the metadata of a session called `id` cannot be used; undefined when it can. */
export function headProblem(value: unknown, id: string): string | undefined {
  if (!isObject(value)) return "it is not a JSON object";
  const foreign = identityProblem(value, id, VERSION);
  if (foreign) return foreign;
  for (const field of ["title", "cwd", "model"]) {
    if (!isText(value[field])) return `its "${field}" is not text`;
  }
  for (const field of ["createdAt", "updatedAt"]) {
    if (!isTime(value[field])) return `its "${field}" is not a time`;
  }
  for (const field of ["turns", "seq"]) {
    if (!isCount(value[field])) return `its "${field}" is not a count`;
  }
  const problem = maybe(value, "errorCount", isCount) ??
    maybe(value, "open", Number.isSafeInteger) ??
    maybe(value, "contextTokens", Number.isFinite) ??
    maybe(value, "truncated", (v) => typeof v === "boolean") ??
    usageProblem(value.usage);
  return problem && `its ${problem}`;
}

// Cursors carry it in base64 and order sessions by it: printable ASCII, ISO 8601 by contract.
function isTime(value: unknown): boolean {
  return isText(value) && /^[\x20-\x7e]{0,64}$/.test(value);
}
