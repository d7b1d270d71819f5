import { UnreadableError } from "../../core/error.ts";
import { errorCode, systemFailure } from "../../core/system_error.ts";

/** Does `work`. What is wrong with the data is told as it is; what the system says is put in words. */
export async function attempt<T>(
  what: string,
  work: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableError) throw error;
    if (error instanceof TypeError && errorCode(error) === undefined) {
      throw error;
    }
    throw systemFailure(what, error);
  }
}
