import { join } from "node:path";
import { isId } from "../../core/id.ts";
import { summarize, type Summary } from "../../core/store.ts";
import { errorCode } from "../../core/system_error.ts";
import { readFailure, reasonOf } from "../files/errors.ts";
import type { Folder } from "../files/folder.ts";
import { load } from "./load.ts";
import { pause } from "../files/pause.ts";
import { ASIDE } from "../files/set_aside.ts";
import { peek } from "./peek.ts";

/**
 * The summary of every session in the folder, read from the heads of the
 * files. System calls are made in place, since that is many times faster
 * than handing each to a thread, but never for long.
 */
export async function summaries(folder: Folder): Promise<readonly Summary[]> {
  const found: Summary[] = [];
  let since = performance.now();
  for await (const { name } of Deno.readDir(folder.path)) {
    const summary = await summaryOf(folder, name);
    if (summary) found.push(summary);
    if (performance.now() - since < SLICE_MS) continue;
    await pause();
    since = performance.now();
  }
  return found;
}

const SLICE_MS = 8;

function summaryOf(
  folder: Folder,
  name: string,
): Summary | undefined | Promise<Summary | undefined> {
  if (!name.endsWith(".json")) return undefined;
  const id = name.slice(0, -".json".length);
  if (ASIDE.test(id)) return guess(folder, id, SET_ASIDE);
  if (!isId(id)) return undefined;
  return quick(folder, id);
}

const SET_ASIDE =
  "it could not be read when its id was needed again, and was set aside under this name";

function quick(
  folder: Folder,
  id: string,
): Summary | undefined | Promise<Summary | undefined> {
  const path = join(folder.path, `${id}.json`);
  try {
    const seen = peek(path, id);
    return seen === "unclear" ? slow(folder, id) : seen;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined; // just now
    return guess(folder, id, reasonOf(readFailure(path, error)));
  }
}

// The head alone does not tell: laid out by hand, cut off, damaged.
async function slow(folder: Folder, id: string): Promise<Summary | undefined> {
  try {
    const path = folder.file(id);
    const loaded = await load({ path, id, keep: () => {} });
    return loaded &&
      { ...summarize(id, loaded.state), bytes: loaded.stamp.size };
  } catch (error) {
    return guess(folder, id, reasonOf(error));
  }
}

// What the name and the place say is all there is to go by.
function guess(folder: Folder, id: string, reason: string): Summary {
  const at = id.replace(
    /^(....)(..)(..)-(..)(..)(..).*$/,
    "$1-$2-$3T$4:$5:$6.000Z",
  );
  return {
    id,
    title: "",
    createdAt: at,
    updatedAt: at,
    cwd: folder.project,
    model: "",
    turns: 0,
    errors: 0,
    usage: { input: 0, output: 0 },
    unreadable: reason,
  };
}
