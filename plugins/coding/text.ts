import type { Place } from "./place.ts";
import { openFile } from "./open.ts";

/** Largest file that `edit` and `write` take into memory. */
export const MAX_TEXT = 50 * 1024 * 1024;

/** The whole text of a file, its byte-order mark kept; throws when it is no UTF-8 text. */
export async function readText(place: Place): Promise<string> {
  const file = await openFile(place);
  try {
    const { size } = await file.stat();
    if (size > MAX_TEXT) {
      throw new RangeError(
        `"${place.shown}" is too large to change here: use shell`,
      );
    }
    return decode(new Uint8Array(await file.readFile()), place.shown);
  } finally {
    await file.close();
  }
}

/** Bytes as text; throws when they are not text in UTF-8. */
export function decode(bytes: Uint8Array, shown: string): string {
  if (bytes.includes(0)) throw new TypeError(notText(bytes, shown));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
      .decode(bytes);
  } catch (error) {
    throw new TypeError(notText(bytes, shown), { cause: error });
  }
}

/** Why `bytes` are refused, with the way out. */
export function notText(bytes: Uint8Array, shown: string): string {
  const [a, b] = bytes;
  const utf16 = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (utf16) return `"${shown}" is UTF-16, not UTF-8: convert it with shell`;
  return bytes.includes(0)
    ? `"${shown}" is a binary file`
    : `"${shown}" is not UTF-8 text: convert it with shell`;
}

/** A short print of `text`, to notice a change. */
export async function fingerprint(text: string | undefined): Promise<string> {
  if (text === undefined) return "none";
  const hash = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(text),
  );
  return new Uint8Array(hash).toHex();
}
