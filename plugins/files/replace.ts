import {
  closeSync,
  constants,
  fstatSync,
  fsync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  write,
} from "node:fs";
import { dirname, join, parse } from "node:path";
import { promisify } from "node:util";
import { randomHex } from "../../core/id.ts";
import { syncFolder } from "./sync_folder.ts";

/**
 * Puts a new file in the place of `path`: whole and on the disk, or not at
 * all. Whatever happens, an old one stays as it is until then.
 */
export async function replace(
  path: string,
  parts: Iterable<Uint8Array>,
): Promise<Stats> {
  const folder = dirname(path);
  const { name } = parse(path);
  const temp = join(folder, `.${name}.${Deno.pid}.${randomHex(8)}.tmp`);
  const file = openSync(temp, WRITE_NEW, 0o600);
  const stats = await orDiscard(temp, async () => {
    const stats = await fill(file, parts);
    renameSync(temp, path);
    return stats;
  });
  await syncFolder(folder);
  return stats;
}

/** The name of a file that `replace` had no time to finish. */
export const TEMP = /^\.\d{8}-\d{6}-[0-9a-f]{8}\.\d+\.[0-9a-f]{8}\.tmp$/;

const WRITE_NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL |
  (constants.O_NOFOLLOW ?? 0);

async function orDiscard<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    discard(path);
    throw error;
  }
}

// The first error is the one to tell; a leftover is swept later.
function discard(path: string): void {
  try {
    unlinkSync(path);
  } catch { /* see above */ }
}

// Only what may take long is handed to a thread.
async function fill(
  file: number,
  parts: Iterable<Uint8Array>,
): Promise<Stats> {
  try {
    await writeAll(file, parts);
    await sync(file);
    return fstatSync(file);
  } finally {
    closeSync(file);
  }
}

const sync = promisify(fsync);

// Through one buffer: a system call for each message would cost more than the disk.
async function writeAll(
  file: number,
  parts: Iterable<Uint8Array>,
): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  let used = 0;
  const flush = async () => {
    await writeFully(file, buffer.subarray(0, used));
    used = 0;
  };
  for (const part of parts) {
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
}

const BUFFER_BYTES = 1024 ** 2;
const LARGE_BYTES = BUFFER_BYTES / 2; // worth a system call of its own

async function writeFully(file: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await writeLater(
      file,
      bytes,
      done,
      bytes.length - done,
    );
    done += bytesWritten;
  }
}

const writeLater = promisify(write) as unknown as (
  file: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
) => Promise<{ bytesWritten: number }>;
