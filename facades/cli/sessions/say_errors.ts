import type { SessionState } from "../../../core/fold.ts";
import type { Flags } from "../flags.ts";
import { say } from "../output.ts";

/** What went wrong stands in no conversation: a line on stderr says where it does. */
export function sayErrors(
  id: string,
  { errors }: SessionState,
  { quiet }: Flags,
): void {
  if (quiet || errors.length === 0) return;
  const count = errors.length === 1 ? "1 error" : `${errors.length} errors`;
  say(`${count} in this conversation: mm sessions errors ${id}`);
}
