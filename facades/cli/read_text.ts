import { errorLine } from "../../core/error.ts";

/** A file of text, or why it is none. */
export type TextFile =
  | { readonly text: string; readonly cut: boolean }
  | { readonly problem: string; readonly missing: boolean };

/**
 * Reads at most `limit` bytes of a file of text. Anything that is no regular
 * file is refused before it is opened: a FIFO would never answer.
 */
export async function readText(path: string, limit: number): Promise<TextFile> {
  try {
    const { isFile, isDirectory, size } = await Deno.stat(path);
    if (!isFile) {
      const kind = isDirectory ? "a folder" : "not a regular file";
      return { problem: `it is ${kind}`, missing: false };
    }
    const bytes = await readHead(path, Math.min(size, limit));
    const cut = size > limit;
    const text = decode(bytes, cut);
    return text === undefined
      ? { problem: "it is not text in UTF-8", missing: false }
      : { text, cut };
  } catch (error) {
    return {
      problem: reason(error),
      missing: error instanceof Deno.errors.NotFound,
    };
  }
}

async function readHead(path: string, length: number): Promise<Uint8Array> {
  using file = await Deno.open(path);
  const bytes = new Uint8Array(length);
  let used = 0;
  while (used < length) {
    const read = await file.read(bytes.subarray(used));
    if (read === null) break;
    used += read;
  }
  return bytes.subarray(0, used);
}

// A cut may fall inside a character, which is no fault of the text.
function decode(bytes: Uint8Array, cut: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true })
      .decode(bytes, { stream: cut });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function reason(error: unknown): string {
  if (error instanceof Deno.errors.NotFound) return "there is no such file";
  if (error instanceof Deno.errors.PermissionDenied) return "permission denied";
  if (error instanceof Deno.errors.NotADirectory) {
    return "a part of its path is a file, not a folder";
  }
  return errorLine(error).replace(/ \(os error \d+\)/, "");
}
