import { unlinkSync } from "node:fs";
import { errorCode } from "../../core/system_error.ts";

/** Removes a file; no error when there is none. */
export function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}
