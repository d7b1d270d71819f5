import type { ApprovalMode } from "../../core/approval.ts";

/** What may stand before or after every command. */
export interface Flags {
  readonly cwd?: string | undefined;
  readonly config?: string | undefined;
  readonly model?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly session?: string | undefined;
  readonly approve?: ApprovalMode | undefined;
  readonly quiet?: true | undefined;
}
