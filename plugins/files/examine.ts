import { lstatSync, readdirSync, unlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { UnreadableError } from "../../core/error.ts";
import { isId } from "../../core/id.ts";
import type { Finding } from "../../core/store.ts";
import { errorCode } from "../../core/system_error.ts";
import { reasonOf } from "./errors.ts";
import type { Folder } from "./folder.ts";
import { isOfNewer } from "./identity.ts";
import { TEMP } from "./replace.ts";
import { ASIDE, setAside } from "./set_aside.ts";

/** How a folder is looked over. */
export interface Examination {
  /** Mend it, too: call it with the lock held. */
  readonly repair: boolean;
  readonly now: Date;
  /** Reads a session whole. Throws UnreadableError. */
  read(
    source: { readonly path: string; readonly id: string },
  ): Promise<unknown>;
}

/** What is left over in a folder of sessions, why files were set aside, and with `repair` what else cannot be read. */
export async function examine(
  folder: Folder,
  { repair, now, read }: Examination,
): Promise<readonly Finding[]> {
  const names = readdirSync(folder.path);
  const temps = names.filter((name) => TEMP.test(name));
  const removed = repair ? removeOld(folder.path, temps, now) : [];
  const left = temps.filter((name) => !removed.includes(name));
  return [
    ...removed.length > 0
      ? [ok(`removed ${files(removed)} of an interrupted write`)]
      : [],
    ...left.length > 0
      ? [warn(
        `${files(left)} left over by an interrupted write; ${
          repair
            ? "too new to be sure, try again in a minute"
            : "a later write removes it, or mm doctor --repair"
        }`,
      )]
      : [],
    ...await explainAside(folder, names, read),
    ...repair ? await setUnreadableAside(folder, names, read) : [],
  ];
}

function removeOld(
  folder: string,
  names: readonly string[],
  now: Date,
): readonly string[] {
  const removed: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = lstatSync(path);
    if (now.getTime() - mtimeMs < YOUNG_MS) continue;
    unlinkSync(path);
    removed.push(name);
  }
  return removed;
}

// For file systems whose locks hold back nobody.
const YOUNG_MS = 60 * 1000;

// A listing does not read them through, so it cannot tell.
async function explainAside(
  folder: Folder,
  names: readonly string[],
  read: Examination["read"],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of names) {
    const stem = folder.stem(name);
    if (stem === undefined || !ASIDE.test(stem)) continue;
    const [id = ""] = stem.split(".");
    try {
      const found = await read({ path: join(folder.path, name), id });
      if (!found) continue; // gone meanwhile
      findings.push(warn(`${name} can be read: rename it to bring it back`));
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      findings.push(warn(`${name} was set aside: ${reasonOf(error)}`));
    }
  }
  return findings;
}

async function setUnreadableAside(
  folder: Folder,
  names: readonly string[],
  read: Examination["read"],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const name of names) {
    const id = folder.stem(name);
    if (id === undefined || !isId(id)) continue;
    const path = join(folder.path, name);
    try {
      await read({ path, id });
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      // What the system refuses to open may be in good order, and under
      // another name a newer mm would not know it either.
      if (errorCode(error.cause) !== undefined) continue;
      if (isOfNewer(reasonOf(error))) continue;
      const aside = basename(await setAside(path));
      findings.push(warn(`set ${name} aside as ${aside}: ${reasonOf(error)}`));
    }
  }
  return findings;
}

function files(names: readonly string[]): string {
  const some = names.slice(0, 3).join(", ");
  return names.length > 3 ? `${names.length} files (${some}, …)` : some;
}

function ok(detail: string): Finding {
  return { status: "ok", detail };
}

function warn(detail: string): Finding {
  return { status: "warn", detail };
}
