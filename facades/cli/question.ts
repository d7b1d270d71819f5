import { fstatSync } from "node:fs";
import { errorLine } from "../../core/error.ts";
import { say } from "./output.ts";
import { UsageError } from "./usage_error.ts";

/**
 * The question of `mm run`: its words, else stdin. What is piped in beside
 * words is added to them as material.
 */
export async function readQuestion(
  words: readonly string[],
  quiet: boolean,
): Promise<string> {
  const asked = words.join(" ").trim();
  if (asked && asked !== "-") {
    const material = isPiped() ? await readStdin(quiet) : "";
    return material.trim()
      ? `${asked}\n\n<stdin>\n${material}\n</stdin>`
      : asked;
  }
  if (!asked && Deno.stdin.isTerminal()) {
    throw new UsageError(
      'Cannot run: there is no question, write mm run "…" or pipe it in',
    );
  }
  const question = (await readStdin(quiet)).trim();
  if (question) return question;
  throw new UsageError("Cannot run: the question is empty");
}

// A terminal or /dev/null has nothing to add.
function isPiped(): boolean {
  try {
    const stdin = fstatSync(0);
    return stdin.isFIFO() || stdin.isFile() || stdin.isSocket();
  } catch {
    return false; // closed
  }
}

async function readStdin(quiet: boolean): Promise<string> {
  const waiting = setTimeout(() => {
    if (!quiet) {
      say("Reading stdin; end it with Ctrl-D, or give it nothing: < /dev/null");
    }
  }, WAIT_MS);
  try {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for await (const chunk of Deno.stdin.readable) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > MAX_BYTES) {
        throw new UsageError("Cannot read stdin: it holds more than 8 MiB");
      }
    }
    return await text(chunks);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`Cannot read stdin: ${errorLine(error)}`, {
      cause: error,
    });
  } finally {
    clearTimeout(waiting);
  }
}

async function text(chunks: Uint8Array<ArrayBuffer>[]): Promise<string> {
  const text = await new Blob(chunks).text();
  if (!text.includes("\0")) return text;
  throw new UsageError("Cannot read stdin: it is not text");
}

const WAIT_MS = 2000;

const MAX_BYTES = 8 * 1024 ** 2;
