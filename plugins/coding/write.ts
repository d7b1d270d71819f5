import { object, string } from "zod/mini";
import type { Tool, ToolContext } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import { changes } from "./changes.ts";
import { editorText, saveText } from "./editor.ts";
import type { Place } from "./place.ts";
import { writeAccess } from "./place.ts";
import type { Planned } from "./planned.ts";
import { alone, assertWritable } from "./save.ts";
import { fingerprint, MAX_TEXT, readText } from "./text.ts";

/** Writes a whole file. */
export function writeTool(planned: Planned): Tool {
  return defineTool({
    name: "write",
    description: "Create or overwrite a whole file. Prefer edit for changes.",
    kind: "edit",
    input: object({ path: string(), content: string() }),
    async plan({ path, content }, context) {
      let before: string | undefined;
      const place = await planned.plan(path, context, async (place) => {
        before = await current(place, context);
        return fingerprint(before);
      });
      return {
        title: `${before === undefined ? "Create" : "Write"} ${place.shown}`,
        locations: [{ path: place.real }],
        diffs: await changes(place.real, before, content),
        ...writeAccess(place),
      };
    },
    async run({ path, content }, context) {
      const place = await planned.run(path, context);
      return await alone(place.real, async () => {
        const before = await current(place, context);
        if (place.print && place.print !== await fingerprint(before)) {
          throw new Error(
            `"${place.shown}" has changed meanwhile: read it again`,
          );
        }
        context.signal.throwIfAborted();
        await saveText(place, content, context);
        const lines = content === ""
          ? 0
          : content.replace(/\n$/, "").split("\n").length;
        return {
          content: `${
            before === undefined ? "Created" : "Wrote"
          } ${place.shown}: ${lines} lines`,
          locations: [{ path: place.real }],
          diffs: await changes(place.real, before, content),
        };
      });
    },
  });
}

// What is there now; a file that is no text is shown as a line about it.
async function current(
  place: Place,
  context: ToolContext,
): Promise<string | undefined> {
  const info = await assertWritable(place);
  const held = await editorText(place, context);
  if (held !== undefined && (info || held !== "")) return held;
  if (!info) return undefined;
  if (info.size > MAX_TEXT) return aside(info);
  try {
    return await readText(place);
  } catch (error) {
    if (error instanceof TypeError) return aside(info);
    throw error;
  }
}

function aside({ size, mtime }: Deno.FileInfo): string {
  return `(not text: ${size} bytes, ${mtime?.toISOString() ?? "no date"})\n`;
}
