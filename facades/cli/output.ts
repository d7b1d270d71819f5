import { errorLine, UserError } from "../../core/error.ts";
import { encoded } from "./encoded.ts";

const encoder = new TextEncoder();

/** Writes an answer to stdout, whole. Throws BrokenPipe when nobody reads it, else a UserError. */
export async function print(text: string): Promise<void> {
  try {
    for (const bytes of encoded(text)) {
      for (let done = 0; done < bytes.length;) {
        done += await Deno.stdout.write(bytes.subarray(done));
      }
    }
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) throw error;
    throw new UserError(`Cannot write the answer: ${errorLine(error)}`, {
      cause: error,
    });
  }
}

/** Writes an answer to stdout as JSON that every reader takes. */
export async function printJson(value: unknown): Promise<void> {
  await print(JSON.stringify(value, wellFormed, 2) + "\n");
}

// Half of a surrogate pair is no text: jq and others refuse the whole answer.
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** Writes a line that is no answer (a notice, a question, an error) to stderr. */
export function say(line: string): void {
  try {
    Deno.stderr.writeSync(encoder.encode(`${line}\n`));
  } catch {
    // Closed or full: nobody is left to be told, and the exit code still tells.
  }
}
