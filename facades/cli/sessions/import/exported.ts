import { eventProblem } from "../../../../core/check_event.ts";
import type { SessionState } from "../../../../core/fold.ts";
import { isId } from "../../../../core/id.ts";
import type { Fields } from "./values.ts";

/** Tells what `mm sessions export --json` writes. */
export function isExported(value: Fields | undefined): boolean {
  return typeof value?.id === "string" && isId(value.id) &&
    typeof value.seq === "number" && Array.isArray(value.messages);
}

/** The state of an exported conversation, or why it is none. */
export function readExported(
  { id: _, ...state }: Fields,
): SessionState | string {
  const { seq, updatedAt: at } = state;
  const problem = eventProblem({ type: "restored", seq, at, state });
  return problem ?? (state as unknown as SessionState);
}
