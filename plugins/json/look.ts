import { summarize, type Summary } from "../../core/store.ts";
import { load } from "./load.ts";
import { peek } from "./peek.ts";

/** The summary of a session, read from the head of its file. Throws when it cannot be read. */
export function look(
  path: string,
  id: string,
): Summary | undefined | Promise<Summary | undefined> {
  const seen = peek(path, id);
  return seen === "unclear" ? lookThrough(path, id) : seen;
}

// The head alone does not tell: laid out by hand, cut off, damaged.
async function lookThrough(
  path: string,
  id: string,
): Promise<Summary | undefined> {
  const loaded = await load({ path, id });
  return loaded && { ...summarize(id, loaded.state), bytes: loaded.stamp.size };
}
