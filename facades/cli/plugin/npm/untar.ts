import { bounded } from "./bounded.ts";

/** The files of a .tgz: name (without the first folder) → bytes. Nothing is written. */
export async function untar(
  archive: Uint8Array,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const unzipped = new Blob([archive as BlobPart]).stream()
    .pipeThrough(new DecompressionStream("gzip"));
  const bytes = await bounded(
    unzipped,
    MAX_BYTES,
    "it unpacks to more than 256 MiB",
  );
  const files = new Map<string, Uint8Array>();
  let longName = "";
  for (let at = 0; at + BLOCK <= bytes.length;) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const size = parseInt(text(header, 124, 12).trim(), 8) || 0;
    const body = bytes.subarray(at + BLOCK, at + BLOCK + size);
    const type = text(header, 156, 1);
    if (type === "x") {
      longName = /\d+ path=(.*)\n/.exec(text(body, 0, size))?.[1] ?? "";
    } else if (type === "L") longName = text(body, 0, size);
    else {
      const prefix = text(header, 345, 155);
      const name = longName ||
        (prefix ? `${prefix}/` : "") + text(header, 0, 100);
      if (type === "0" || type === "") {
        files.set(name.split("/").slice(1).join("/"), body);
      }
      longName = "";
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

const BLOCK = 512;

// A small archive may unfold to more than there is memory.
const MAX_BYTES = 256 * 1024 ** 2;

function text(bytes: Uint8Array, start: number, length: number): string {
  const [value = ""] = new TextDecoder()
    .decode(bytes.subarray(start, start + length)).split("\0");
  return value;
}
