import { constants, type Stats } from "node:fs";
import { type FileHandle, open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomHex } from "../../core/id.ts";
import { MAX_BYTES } from "../files/open_file.ts";
import { HEAD_BYTES, type Stamp, stampOf } from "./stamp.ts";
import { syncFolder } from "./sync_folder.ts";

/**
 * Puts a new file in the place of `path`: whole and on the disk, or not at
 * all. Whatever happens, the old one stays as it is until then.
 */
export async function replace(
  path: string,
  parts: Iterable<Uint8Array>,
): Promise<Stamp> {
  const folder = dirname(path);
  const name = basename(path, ".json");
  const temp = join(folder, `.${name}.${Deno.pid}.${randomHex(8)}.tmp`);
  const stamp = await write(temp, parts);
  await orDiscard(temp, () => rename(temp, path));
  await syncFolder(folder);
  return stamp;
}

/** The name of a file that `replace` had no time to finish. */
export const TEMP = /^\.\d{8}-\d{6}-[0-9a-f]{8}\.\d+\.[0-9a-f]{8}\.tmp$/;

async function write(
  path: string,
  parts: Iterable<Uint8Array>,
): Promise<Stamp> {
  const file = await open(path, WRITE_NEW, 0o600);
  return await orDiscard(path, async () => {
    try {
      const head = await writeAll(file, parts);
      await file.sync();
      return stampOf(await file.stat() as Stats, head);
    } finally {
      await file.close();
    }
  });
}

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL |
  (constants.O_NOFOLLOW ?? 0);

async function orDiscard<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // The first error is the one to tell; a leftover is swept later.
    await unlink(path).catch(() => {});
    throw error;
  }
}

// Through one buffer: a system call for each message would cost more than the disk.
async function writeAll(
  file: FileHandle,
  parts: Iterable<Uint8Array>,
): Promise<Uint8Array> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  let used = 0;
  let total = 0;
  const head = new Uint8Array(HEAD_BYTES);
  const flush = async () => {
    await writeFully(file, buffer.subarray(0, used));
    used = 0;
  };
  for (const part of parts) {
    if (total < HEAD_BYTES) {
      head.set(part.subarray(0, HEAD_BYTES - total), total);
    }
    total += part.length;
    if (total > MAX_BYTES) throw new RangeError(TOO_LARGE);
    if (part.length >= LARGE_BYTES) {
      if (used > 0) await flush();
      await writeFully(file, part);
      continue;
    }
    for (let from = 0; from < part.length;) {
      const chunk = part.subarray(from, from + BUFFER_BYTES - used);
      buffer.set(chunk, used);
      used += chunk.length;
      from += chunk.length;
      if (used === BUFFER_BYTES) await flush();
    }
  }
  await flush();
  return head.subarray(0, Math.min(total, HEAD_BYTES));
}

const BUFFER_BYTES = 1024 ** 2;
const LARGE_BYTES = BUFFER_BYTES / 2; // worth a system call of its own

const TOO_LARGE =
  "it would be larger than 1 GiB and could not be read again, compact it or begin a new session";

async function writeFully(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done);
    done += bytesWritten;
  }
}
