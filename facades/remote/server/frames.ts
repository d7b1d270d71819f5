import { Buffer } from "node:buffer";
import { randomHex } from "../../../core/id.ts";
import { MAX_FRAME, type Part, type ServerMessage } from "../wire.ts";

/** A message as frames: one, or the parts of one that is too long. */
export function frames(message: ServerMessage): Buffer[] {
  return cut(Buffer.from(JSON.stringify(message)));
}

/** The same for a message that is JSON already. */
export function cut(frame: Buffer): Buffer[] {
  return frame.length <= MAX_FRAME ? [frame] : parts(frame.toString());
}

// In a JSON text, JSON makes two bytes of an ASCII character at most, and
// leaves the others, up to three bytes a UTF-16 unit, as they are. What is
// around the text takes less than the rest.
const UNITS = Math.floor(MAX_FRAME / 3) - 100;

function parts(text: string): Buffer[] {
  const id = `part-${randomHex(16)}`;
  const found: Buffer[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + UNITS - (isHalf(text, from + UNITS) ? 1 : 0);
    const part: Part & { type: "part" } = {
      type: "part",
      id,
      seq: found.length,
      last: to >= text.length,
      text: text.slice(from, to),
    };
    found.push(Buffer.from(JSON.stringify(part)));
    from = to;
  }
  return found;
}

/** A cut at `at` would go through a surrogate pair. */
function isHalf(text: string, at: number): boolean {
  return at < text.length && /[\udc00-\udfff]/.test(text.charAt(at));
}
