import { isCount, maybe } from "../../core/check.ts";
import { metadataProblem } from "../../core/check_state.ts";
import type { SessionState } from "../../core/fold.ts";
import { isObject } from "../../core/json.ts";
import { identityProblem } from "../files/identity.ts";

/** The format this version writes; it reads no newer one. */
export const VERSION = 1;

/** The metadata of a state, in the order of the file. */
export function headOf(
  id: string,
  state: SessionState,
): Readonly<Record<string, unknown>> {
  const { title, createdAt, updatedAt, cwd, model, turns, usage } = state;
  const { seq, open, contextTokens, truncated, parent } = state;
  return {
    version: VERSION,
    id,
    title,
    createdAt,
    updatedAt,
    cwd,
    ...(parent !== undefined && { parent }),
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
  const problem = metadataProblem(value) ??
    maybe(value, "errorCount", isCount);
  return problem && `its ${problem}`;
}
