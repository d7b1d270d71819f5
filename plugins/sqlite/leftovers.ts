import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Finding } from "../../core/store.ts";
import { isThere } from "./place.ts";

/** What processes that died while making a copy left beside a database; with `repair` it goes. */
export function leftovers(
  path: string,
  { repair, now }: { readonly repair: boolean; readonly now: Date },
): readonly Finding[] {
  if (!isThere(path)) return [];
  const folder = dirname(path);
  const left = readdirSync(folder).filter((name) =>
    name.startsWith(`${basename(path)}.`) && TEMP.test(name)
  );
  return left.map((name) => {
    const file = join(folder, name);
    const age = now.getTime() - statSync(file).mtimeMs;
    if (!repair || age < YOUNG_MS) {
      const hope = repair ? "too new to be sure" : "mm doctor --repair";
      const detail = `${name} is left over by an interrupted copy; ${hope}`;
      return { status: "warn", detail };
    }
    rmSync(file, { force: true });
    return {
      status: "ok",
      detail: `removed ${name} of an interrupted copy`,
    };
  });
}

const TEMP = /\.(backup|saved)-[\dTZ-]+\.tmp(-wal|-shm|-journal)?$/;

const YOUNG_MS = 10 * 60 * 1000; // a large database takes a while
