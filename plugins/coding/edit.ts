import { boolean, object, optional, string } from "zod/mini";
import type { Tool, ToolContext } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import { changes } from "./changes.ts";
import { editorText, saveText } from "./editor.ts";
import { assertRegular } from "./open.ts";
import type { Place } from "./place.ts";
import { readAccess, writeAccess } from "./place.ts";
import type { Planned } from "./planned.ts";
import { MAX_AMBIGUOUS, replace } from "./replace.ts";
import { alone, assertWritable } from "./save.ts";
import { fingerprint, readText } from "./text.ts";

/** Replaces a piece of a file. */
export function editTool(planned: Planned): Tool {
  return defineTool({
    name: "edit",
    description:
      "Replace the exact text old by new in a file, without line numbers. old must occur once; add lines around it to make it so, or set all to replace every one.",
    kind: "edit",
    input: object({
      path: string(),
      old: string(),
      new: string(),
      all: optional(boolean()),
    }),
    async plan(input, context) {
      let change: Change | undefined;
      const place = await planned.plan(input.path, context, async (place) => {
        const before = await unlessPrivate(
          place,
          () => current(place, context),
        );
        if (before === undefined) return "";
        change = await unlessPrivate(
          place,
          () => changeOf(place, before, input),
        );
        return fingerprint(before);
      });
      const { before = "", after = "", line = 1 } = change ?? {};
      return {
        title: `Edit ${place.shown}`,
        locations: [{ path: place.real, line }],
        diffs: await changes(place.real, before, after),
        ...writeAccess(place),
      };
    },
    async run(input, context) {
      const place = await planned.run(input.path, context);
      return await alone(place.real, async () => {
        const before = await current(place, context);
        if (place.print && place.print !== await fingerprint(before)) {
          throw new Error(
            `"${place.shown}" has changed meanwhile: read it again`,
          );
        }
        const { after, line, count } = await changeOf(place, before, input);
        context.signal.throwIfAborted();
        await saveText(place, after, context);
        return {
          content: `Edited ${place.shown}: ${
            count === 1 ? "" : `${count} matches, from `
          }line ${line}`,
          locations: [{ path: place.real, line }],
          diffs: await changes(place.real, before, after),
        };
      });
    },
  });
}

interface Change {
  readonly before: string;
  readonly after: string;
  readonly line: number;
  readonly count: number;
}

interface Edit {
  readonly old: string;
  readonly new: string;
  readonly all?: boolean | undefined;
}

async function current(place: Place, context: ToolContext): Promise<string> {
  const held = await editorText(place, context);
  if (held !== undefined) return held;
  await assertRegular(place);
  return await readText(place);
}

// What a plan fails by is told without asking, and it quotes the file: where
// that must be asked, the run fails by it.
async function unlessPrivate<T>(
  place: Place,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (readAccess(place).access === "auto") throw error;
    return undefined;
  }
}

async function changeOf(
  place: Place,
  before: string,
  edit: Edit,
): Promise<Change> {
  if (edit.old === "") {
    throw new TypeError("old is empty: use write to fill a file");
  }
  await assertWritable(place);
  const done = replace(before, edit.old, edit.new, edit.all);
  const { lines } = done;
  const [line = 1] = lines;
  if (!done.ok) {
    throw new Error(
      lines.length > 1
        ? ambiguous(lines, place.shown)
        : await notFound(before, edit.old, place.shown),
    );
  }
  if (done.text === before) throw new TypeError("old and new are the same");
  return { before, after: done.text, line, count: lines.length };
}

function ambiguous(lines: readonly number[], shown: string): string {
  const some = [...new Set(lines)].slice(0, 10).join(", ");
  const rest = lines.length > 10 ? " …" : "";
  const least = lines.length < MAX_AMBIGUOUS ? "" : "at least ";
  return `old occurs ${least}${lines.length} times in "${shown}" (lines ${some}${rest}): add lines around it, or set all`;
}

async function notFound(
  text: string,
  old: string,
  shown: string,
): Promise<string> {
  const said = `old does not occur in "${shown}"`;
  const wanted = old.split(/\r?\n/).find((line) => line.trim())?.trim() ?? "";
  const lines = text.split(/\r?\n/);
  const same = lines.findIndex((line) => line.trim() === wanted);
  if (same >= 0) {
    return `${said}: line ${same + 1} is alike: ${
      JSON.stringify(lines[same]?.slice(0, 200))
    }`;
  }
  if (/^\d+\t/.test(old)) return `${said}: leave the line numbers out`;
  if (lines.length > 5000 || wanted.length > 300) return said;
  const { nearest } = await import("../../core/nearest.ts");
  const trimmed = lines.map((line) => line.trim().slice(0, 400));
  const near = nearest(wanted, trimmed.filter(Boolean));
  if (!near) return said;
  const at = trimmed.indexOf(near);
  return `${said}: the nearest is line ${at + 1}: ${
    JSON.stringify(lines[at]?.slice(0, 200))
  }`;
}
