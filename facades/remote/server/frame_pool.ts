import { Buffer } from "node:buffer";
import { MAX_FRAME } from "../wire.ts";

// Fresh memory for each frame of a replay takes longer than all else that is done for it.
const free: Buffer[] = [];

/** Memory for a frame of `bytes`: used before, where there is some. */
export function takeFrame(bytes: number): Buffer {
  if (bytes > MAX_FRAME || bytes < SHORT) return Buffer.allocUnsafeSlow(bytes);
  const frame = free.pop() ?? Buffer.allocUnsafeSlow(MAX_FRAME);
  return frame.subarray(0, bytes);
}

/** Takes a frame back that nobody needs any more. */
export function giveFrame({ buffer }: Buffer): void {
  if (buffer.byteLength !== MAX_FRAME || free.length >= KEPT) return;
  free.push(Buffer.from(buffer));
}

/** What waits for the next replays, in frames. */
const KEPT = 16;

/** What is not worth a whole frame: short replays may be asked for by many at once. */
const SHORT = MAX_FRAME / 4;
