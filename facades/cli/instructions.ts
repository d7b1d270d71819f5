import { dirname, join, relative } from "node:path";
import { readText } from "./read_text.ts";
import { shown } from "./load_config.ts";
import type { Place } from "./place.ts";

/** What the project asks of the agent, and what could not be read of it. */
export interface Instructions {
  readonly text: string;
  readonly notices: readonly string[];
}

/** Reads AGENTS.md of the project and of each folder between it and `cwd`, outermost first. */
export async function readInstructions(place: Place): Promise<Instructions> {
  const files = between(place).map((folder) => join(folder, NAME));
  const parts: string[] = [];
  const notices: string[] = [];
  let left = MAX_BYTES;
  for (const file of files) {
    const name = shown(file, place.cwd);
    const read = await readText(file, left);
    if ("problem" in read) {
      if (!read.missing) notices.push(`Cannot read ${name}: ${read.problem}`);
      continue;
    }
    if (!await isInside(file, place.project)) {
      notices.push(`Left out ${name}: it leads out of the project`);
      continue;
    }
    if (read.cut) {
      notices.push(
        `Read only a part of ${name}: instructions end after 64 KiB`,
      );
    }
    left -= new TextEncoder().encode(read.text).length;
    if (read.text.trim()) parts.push(`# ${name}\n\n${read.text.trim()}`);
  }
  return { text: parts.join("\n\n"), notices };
}

const NAME = "AGENTS.md";

const MAX_BYTES = 64 * 1024;

function between({ project, cwd }: Place): string[] {
  const folders = [cwd];
  for (let folder = cwd; folder !== project;) {
    const parent = dirname(folder);
    if (parent === folder) return [cwd]; // `project` is not above
    folders.unshift(folder = parent);
  }
  return folders;
}

// A link may lead to a secret, and what it leads to is sent to a server.
async function isInside(file: string, project: string): Promise<boolean> {
  const [real, root] = await Promise.all([
    Deno.realPath(file),
    Deno.realPath(project),
  ]);
  return !relative(root, real).startsWith("..");
}
