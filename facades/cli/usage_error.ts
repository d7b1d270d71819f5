import { UserError } from "../../core/error.ts";

/** The command line asks for something that is not there: exit code 2. */
export class UsageError extends UserError {
  override readonly name = "UsageError";
}
