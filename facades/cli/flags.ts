import type { ApprovalMode } from "../../core/approval.ts";
import { UsageError } from "./usage_error.ts";

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

/** The model that was asked for, by `--model` or else by $MM_MODEL. */
export function modelName({ model }: Flags): string | undefined {
  if (model === "") throw new UsageError('Cannot use --model "": give a name');
  return model ?? (Deno.env.get("MM_MODEL") || undefined);
}
