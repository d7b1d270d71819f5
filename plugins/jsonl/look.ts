import { closeSync } from "node:fs";
import { summarize, type Summary } from "../../core/store.ts";
import { openQuickly } from "../files/open_file.ts";
import { load } from "./load.ts";
import { peek } from "./peek.ts";

/** The summary of a session, read from the two ends of its file. Throws when it cannot be read. */
export function look(
  path: string,
  id: string,
): Summary | undefined | Promise<Summary | undefined> {
  const open = openQuickly(path);
  if (!open) return undefined;
  try {
    const seen = peek(open, path, id);
    return seen === "unclear"
      ? lookThrough(path, id)
      : { ...summarize(id, seen.light), bytes: open.size };
  } finally {
    closeSync(open.file);
  }
}

// Its ends alone do not tell: changed by hand, cut off, damaged.
async function lookThrough(
  path: string,
  id: string,
): Promise<Summary | undefined> {
  const loaded = await load({ path, id });
  return loaded && { ...summarize(id, loaded.state), bytes: loaded.stamp.size };
}
