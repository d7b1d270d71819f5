import { existsSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { UserError } from "../../core/error.ts";
import type { Finding } from "../../core/store.ts";
import { Database } from "./database.ts";
import { failure, isBusy, isDamage } from "./errors.ts";
import { lengthened } from "./lengthen.ts";
import { openDatabase, type OpenOptions, sizeOf } from "./open.ts";
import { salvage, type Salvaged } from "./salvage.ts";

/**
 * Puts a new database in the place of a damaged one, with all that can be
 * read of it. The damaged one is set aside as it is. No connection of this
 * process may be open; while another process has one, nothing is done.
 */
export async function rescue(
  options: OpenOptions,
): Promise<readonly Finding[]> {
  const { path, now } = options;
  const stamp = now().toISOString().replaceAll(/[:.]/g, "-");
  const part = `${path}.saved-${stamp}.tmp`;
  try {
    const saved = await saveInto(part, options);
    return foundOf(saved, path, replace(path, part, stamp));
  } catch (error) {
    if (isDamage(error)) throw hopeless(path, error);
    throw failure(`repair session database "${path}"`, error);
  } finally {
    for (const end of ["", "-wal", "-shm"]) {
      rmSync(`${part}${end}`, { force: true });
    }
  }
}

async function saveInto(
  part: string,
  options: OpenOptions,
): Promise<Salvaged> {
  using _whole = lengthened(options.path);
  using from = openAlone(options.path);
  using to = await openDatabase({ ...options, path: part }, true);
  if (!to) throw new TypeError(`Cannot make "${part}"`);
  return salvage(from, to);
}

// What another process wrote meanwhile would stay behind.
function openAlone(path: string): Database {
  const db = new Database(path);
  try {
    db.script("PRAGMA locking_mode = EXCLUSIVE");
    db.run("BEGIN IMMEDIATE");
    return db;
  } catch (error) {
    db[Symbol.dispose]();
    throw isBusy(error) ? inUse(path, error) : error;
  }
}

function replace(path: string, part: string, stamp: string): string {
  const aside = `${path}.damaged-${stamp}`;
  renameSync(path, aside);
  // Somebody opened it since it was closed here: there its name is still good.
  if (sizeOf(`${path}-wal`) > 0 || existsSync(path)) {
    if (!existsSync(path)) renameSync(aside, path);
    throw inUse(path);
  }
  renameSync(part, path);
  return aside;
}

// How to repair it has been said: that is what failed.
function hopeless(path: string, cause: unknown): UserError {
  return new UserError(
    `Cannot repair session database "${path}": so much of it is damaged that nothing can be read; it is left as it is, move it away`,
    { cause },
  );
}

function inUse(path: string, cause?: unknown): UserError {
  return new UserError(
    `Cannot repair session database "${path}": another process has it open; end it and try again`,
    { cause },
  );
}

// What is lost fails, each by its name: nobody would miss it in a number.
function foundOf(
  { whole, cut, lost, unnamed }: Salvaged,
  path: string,
  aside: string,
): readonly Finding[] {
  const parts = [
    `${whole} whole`,
    ...cut.length > 0 ? [`${cut.length} in part`] : [],
    ...lost.length > 0 ? [`${lost.length} lost`] : [],
  ];
  const detail =
    `${path} was damaged: a new one holds all conversations that could be read (${
      parts.join(", ")
    }), the damaged one is beside it as ${basename(aside)}`;
  const missing = [
    ...cut.map(({ id, seq }) => `${id}: saved up to event ${seq}`),
    ...lost.map((id) => `${id}: nothing of it could be read`),
    ...unnamed ? [UNNAMED] : [],
  ];
  return [
    { status: "warn", detail },
    ...missing.map((detail) => ({ status: "fail", detail }) as const),
  ];
}

const UNNAMED =
  "others may be lost: the lists of conversations are damaged, too";
