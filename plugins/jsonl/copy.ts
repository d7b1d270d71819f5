import { Buffer } from "node:buffer";
import { readFew } from "../files/bytes.ts";
import { openFile } from "../files/open_file.ts";
import { replace } from "../files/replace.ts";
import { renamedHeader } from "./lines.ts";

/** Makes `target` of `source`, for the session `id`; false when that has no header of ours. */
export async function copyRenamed(
  source: string,
  target: string,
  id: string,
): Promise<boolean> {
  using open = openFile(source);
  if (!open) return false;
  const head = readFew(open.file, 0, Math.min(HEAD, open.stamp.size));
  const end = head.indexOf(NEWLINE) + 1;
  const header = renamedHeader(decoder.decode(head.subarray(0, end)), id);
  if (end === 0 || header === undefined) return false;
  await replace(target, pieces(open.file, header, end, open.stamp.size));
  return true;
}

function* pieces(
  file: number,
  header: string,
  from: number,
  to: number,
): Generator<Uint8Array> {
  yield Buffer.from(header);
  for (let at = from; at < to; at += PIECE) {
    yield readFew(file, at, Math.min(at + PIECE, to));
  }
}

const HEAD = 64 * 1024;
const PIECE = 1024 ** 2;
const NEWLINE = 10;
const decoder = new TextDecoder();
