import { dirname, join, relative } from "node:path";
import type { Ignore } from "ignore";
import { missing, within } from "./place.ts";

interface Rules {
  readonly folder: string;
  readonly ignore: Ignore;
}

/** The .gitignore rules that hold in one folder. A rule of a deeper file wins. */
export class Ignored {
  readonly #rules: readonly Rules[];

  private constructor(rules: readonly Rules[]) {
    this.#rules = rules;
  }

  /** The rules of `folder` and all folders above it, up to the repository or `top`. */
  static async at(folder: string, top: string): Promise<Ignored> {
    const chain = [folder];
    while (true) {
      const [first = folder] = chain;
      if (await exists(join(first, ".git")) || first === dirname(first)) break;
      if (!within(dirname(first), top)) break;
      chain.unshift(dirname(first));
    }
    let ignored = new Ignored([]);
    for (const each of chain) {
      ignored = await ignored.enter(each);
      // Somebody who names an ignored folder wants to see into it.
      const next = chain[chain.indexOf(each) + 1];
      if (next && ignored.test(next, true)) return new Ignored([]);
    }
    return ignored;
  }

  /** The rules for the inside of `folder`. */
  async enter(folder: string, has = true): Promise<Ignored> {
    if (!has) return this;
    const names = await exists(join(folder, ".git"))
      ? [".git/info/exclude", ".gitignore"]
      : [".gitignore"];
    const texts = await Promise.all(
      names.map((name) => textOf(join(folder, name))),
    );
    const text = texts.join("\n");
    if (!text.trim()) return this;
    const { default: ignore } = await import("ignore");
    const rules = { folder, ignore: ignore({ ignorecase: false }).add(text) };
    return new Ignored([...this.#rules, rules]);
  }

  /** Tells whether git would pass over `path`. */
  test(path: string, isFolder: boolean): boolean {
    for (let i = this.#rules.length - 1; i >= 0; i--) {
      const rules = this.#rules[i];
      if (!rules) continue;
      const name = path.slice(
        rules.folder.endsWith("/")
          ? rules.folder.length
          : rules.folder.length + 1,
      );
      const found = rules.ignore.test(isFolder ? `${name}/` : name);
      if (found.ignored) return true;
      if (found.unignored) return false;
    }
    return false;
  }
}

/** A filter for `glob`, written as in .gitignore, with {a,b} too. Paths are relative to `base`. */
export async function globFilter(
  glob: string,
  base: string,
): Promise<(path: string) => boolean> {
  const { default: ignore } = await import("ignore");
  const [not, pattern] = glob.startsWith("!")
    ? [true, glob.slice(1)]
    : [false, glob];
  const wanted = ignore({ ignorecase: false })
    .add(braces(pattern.replace(/^\.\//, "/")));
  return (path) => {
    const name = relative(base, path);
    return name !== "" && wanted.ignores(name) !== not;
  };
}

function braces(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = /\{([^{}]*)\}/.exec(next);
    if (!found || done.length + open.length > 200) {
      done.push(next);
      continue;
    }
    const [all, inner = ""] = found;
    const head = next.slice(0, found.index);
    const tail = next.slice(found.index + all.length);
    for (const one of inner.split(",")) open.push(head + one + tail);
  }
  return done;
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (missing(error)) return false;
    throw error;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    const info = await Deno.stat(path);
    // A FIFO would hang, and rules of a megabyte are none.
    if (!info.isFile || info.size > 1024 * 1024) return "";
    return await Deno.readTextFile(path);
  } catch (error) {
    if (missing(error) || error instanceof Deno.errors.PermissionDenied) {
      return "";
    }
    throw error;
  }
}
