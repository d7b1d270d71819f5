import { basename, join } from "node:path";
import { minimum, number, object, optional, string } from "zod/mini";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import { Ignored } from "./ignored.ts";
import { missing, readAccess } from "./place.ts";
import type { Planned } from "./planned.ts";
import { listing } from "./walk.ts";

const MAX_ENTRIES = 500;
const MAX_DEPTH = 20;

/** Shows a folder as a tree. */
export function listTool(planned: Planned): Tool {
  return defineTool({
    name: "list",
    description:
      "List a folder as a tree (default: the project, depth 2), without files that .gitignore names.",
    kind: "read",
    input: object({
      path: optional(string()),
      depth: optional(number().check(minimum(1))),
    }),
    async plan({ path = "." }, context) {
      const place = await planned.plan(path, context);
      return {
        title: `List ${place.shown}`,
        locations: [{ path: place.real }],
        ...readAccess(place),
      };
    },
    async run({ path = ".", depth = 2 }, context) {
      const place = await planned.run(path, context);
      await assertFolder(place.real, place.shown);
      const top = context.roots[0] ?? context.cwd;
      const tree = await grow(
        place.real,
        await Ignored.at(place.real, await Deno.realPath(top)),
        Math.min(Math.floor(depth), MAX_DEPTH),
        context.signal,
      );
      return { content: draw(tree, place.shown) };
    },
  });
}

async function assertFolder(real: string, shown: string): Promise<void> {
  try {
    if ((await Deno.lstat(real)).isDirectory) return;
  } catch (error) {
    if (!missing(error)) throw error;
    throw new Error(`Cannot find "${shown}"`, { cause: error });
  }
  throw new Error(`"${shown}" is a file: use read`);
}

interface Branch {
  readonly name: string;
  readonly folders: Branch[];
  readonly files: string[];
  /** Entries left out because the list is full. */
  more: number;
  unopened: boolean;
}

interface Tree {
  readonly root: Branch;
  readonly hidden: number;
}

// Level by level, so that a full list shows the top of every folder rather
// than all of the first.
async function grow(
  folder: string,
  rules: Ignored,
  depth: number,
  signal: AbortSignal,
): Promise<Tree> {
  const root = branch(".");
  let level = [{ path: folder, node: root, rules }];
  let room = MAX_ENTRIES;
  let hidden = 0;
  for (let deep = 0; deep < depth && level.length; deep++) {
    const next: typeof level = [];
    for (const { path, node, rules } of level) {
      signal.throwIfAborted();
      const here = await listing(path, rules);
      hidden += here.hidden;
      node.unopened = false;
      for (const inner of here.folders) {
        if (room-- <= 0) node.more++;
        else {
          const child = branch(`${basename(inner)}/`);
          node.folders.push(child);
          next.push({ path: inner, node: child, rules: here.ignored });
        }
      }
      for (const entry of here.others) {
        if (room-- <= 0) node.more++;
        else {node.files.push(
            entry.isSymlink
              ? `${entry.name} -> ${await target(join(path, entry.name))}`
              : entry.name + (entry.isFile ? "" : " (special)"),
          );}
      }
      if (room <= 0) break;
    }
    level = room > 0 ? next : [];
  }
  return { root, hidden };
}

function branch(name: string): Branch {
  return { name, folders: [], files: [], more: 0, unopened: true };
}

async function target(path: string): Promise<string> {
  try {
    return await Deno.readLink(path);
  } catch (error) {
    if (missing(error)) return "?";
    throw error;
  }
}

function draw({ root, hidden }: Tree, shown: string): string {
  const rows = [...rowsOf(root, "")];
  if (rows.length === 0) rows.push("(empty folder)");
  if (root.more > 0 || rows.length >= MAX_ENTRIES) {
    rows.push(`(list cut at ${MAX_ENTRIES} entries: list a folder of it)`);
  }
  if (hidden > 0) rows.push(`(${hidden} ignored not shown)`);
  return `${shown}:\n${rows.join("\n")}`;
}

function* rowsOf(node: Branch, indent: string): Generator<string> {
  for (const folder of node.folders) {
    yield indent + printable(folder.name) + (folder.unopened ? " …" : "");
    yield* rowsOf(folder, `${indent}  `);
  }
  for (const file of node.files) yield indent + printable(file);
  if (node.more > 0) yield `${indent}… ${node.more} more`;
}

/** A file name on one line, whatever it holds. */
export function printable(name: string): string {
  // deno-lint-ignore no-control-regex
  return /[\x00-\x1f\x7f]/.test(name) ? JSON.stringify(name) : name;
}
