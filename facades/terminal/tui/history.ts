import { dirname, join } from "node:path";

/** Entries that are kept. */
const MAX_ENTRIES = 500;
/** Longest entry kept, in UTF-16 units: a pasted file is not worth remembering. */
const MAX_ENTRY = 10_000;
/** Past this size the file is cut down, in bytes. */
const MAX_BYTES = 1_000_000;

/**
 * What the user asked, across runs: one JSON string a line, appended, so that
 * two processes can share it. Lines that are not one are skipped.
 */
export class History {
  readonly #path: string | undefined;

  /** Without a path nothing is kept. */
  constructor(path: string | undefined) {
    this.#path = path;
  }

  /** The entries, oldest first. Never fails: history is a convenience. */
  async load(): Promise<readonly string[]> {
    if (this.#path === undefined) return [];
    try {
      const text = await Deno.readTextFile(this.#path);
      const entries = parse(text).slice(-MAX_ENTRIES);
      if (text.length > MAX_BYTES) await replace(this.#path, entries);
      return entries;
    } catch {
      return [];
    }
  }

  async add(entry: string): Promise<void> {
    if (this.#path === undefined || entry.length > MAX_ENTRY) return;
    try {
      await Deno.mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      // One short write in append mode: lines of two processes do not mix.
      await Deno.writeTextFile(this.#path, `${JSON.stringify(entry)}\n`, {
        append: true,
        mode: 0o600,
      });
    } catch { /* a full disk must not stop the conversation */ }
  }
}

/** Where the history is kept; undefined without a home. */
export function historyPath(
  env: (name: string) => string | undefined,
): string | undefined {
  const home = env("HOME") ?? env("USERPROFILE");
  const state = env("XDG_STATE_HOME") ||
    (home && join(home, ".local", "state"));
  return state ? join(state, "mm", "history") : undefined;
}

function parse(text: string): string[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === "string" ? [value] : [];
    } catch {
      return [];
    }
  });
}

async function replace(path: string, entries: readonly string[]) {
  const kept = entries.map((e) => `${JSON.stringify(e)}\n`).join("");
  const temporary = `${path}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(temporary, kept, { createNew: true, mode: 0o600 });
  await Deno.rename(temporary, path);
}
