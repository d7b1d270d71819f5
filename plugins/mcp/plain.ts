import { stripVTControlCharacters } from "node:util";
import { firstLine } from "../../core/message.ts";

/** What a server says, as one line that cannot move a cursor or hide itself. */
export function plain(text: string, max = 300): string {
  const line = stripVTControlCharacters(text).toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
  return firstLine(line.trim(), max);
}
