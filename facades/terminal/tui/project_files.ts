import ignore, { type Ignore } from "ignore";
import { join } from "node:path";

/** Where the walk stops: a name that is not found in it can still be typed. */
const MAX_FILES = 20_000;
const MAX_MS = 1_500;
/** How long a list is good for. */
const FRESH_MS = 10_000;

/** The project's files by relative path, without those it ignores. */
export class ProjectFiles {
  readonly #root: string;
  #list: Promise<readonly string[]> | undefined;
  #at = 0;

  constructor(root: string) {
    this.#root = root;
  }

  /** Paths that match `query`, best first. */
  async find(query: string, max = 50): Promise<readonly string[]> {
    const all = await this.#all();
    const wanted = query.toLowerCase();
    return all
      .map((path) => ({ path, rank: rank(path.toLowerCase(), wanted) }))
      .filter(({ rank }) => rank < Infinity)
      .sort((a, b) => a.rank - b.rank || a.path.length - b.path.length)
      .slice(0, max)
      .map(({ path }) => path);
  }

  #all(): Promise<readonly string[]> {
    const now = performance.now();
    if (!this.#list || now - this.#at > FRESH_MS) {
      this.#at = now;
      this.#list = walk(this.#root);
    }
    return this.#list;
  }
}

function rank(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf("/", path.length - 2) + 1);
  if (path.startsWith(wanted)) return 0;
  if (name.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  return path.includes(wanted) ? 3 : Infinity;
}

interface Folder {
  readonly path: string; // relative, "" or ending in "/"
  readonly rules: readonly Rules[];
}

interface Rules {
  readonly base: string;
  readonly ignore: Ignore;
}

async function walk(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const end = performance.now() + MAX_MS;
  const queue: Folder[] = [{ path: "", rules: [] }];
  for (let folder = queue.shift(); folder; folder = queue.shift()) {
    if (found.length >= MAX_FILES || performance.now() > end) break;
    const rules = await rulesOf(root, folder);
    for (const entry of await entries(join(root, folder.path))) {
      const path = folder.path + entry.name + (entry.isDirectory ? "/" : "");
      if (entry.isSymlink || isIgnored(path, rules)) continue;
      found.push(path);
      if (entry.isDirectory) queue.push({ path, rules });
    }
  }
  return found;
}

async function entries(folder: string): Promise<readonly Deno.DirEntry[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder)))
      .filter(({ name }) => name !== ".git" && name !== ".mm")
      .sort((a, b) => a.name < b.name ? -1 : 1);
  } catch {
    return []; // not ours to read
  }
}

async function rulesOf(
  root: string,
  { path, rules }: Folder,
): Promise<readonly Rules[]> {
  try {
    const text = await Deno.readTextFile(join(root, path, ".gitignore"));
    return [...rules, { base: path, ignore: ignore().add(text) }];
  } catch {
    return rules;
  }
}

function isIgnored(path: string, rules: readonly Rules[]): boolean {
  return rules.some((r) => r.ignore.ignores(path.slice(r.base.length)));
}
