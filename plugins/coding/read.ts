import { minimum, number, object, optional, string } from "zod/mini";
import type { Tool } from "../../core/tool.ts";
import { defineTool } from "../../core/tool.ts";
import { editorText } from "./editor.ts";
import type { Line, Lines } from "./lines.ts";
import { bytesOf, takeLines } from "./lines.ts";
import { openFile } from "./open.ts";
import { readAccess } from "./place.ts";
import type { Planned } from "./planned.ts";
import { notText } from "./text.ts";

const MAX_LINES = 2000;
const MAX_BYTES = 64 * 1024;
const MAX_WIDTH = 2000; // characters of one line

/** Shows a text file by numbered lines. */
export function readTool(planned: Planned): Tool {
  return defineTool({
    name: "read",
    description:
      `Read a text file. Gives numbered lines, at most ${MAX_LINES} per call; go on with offset (first line, from 1).`,
    kind: "read",
    input: object({
      path: string(),
      offset: optional(number().check(minimum(1))),
      limit: optional(number().check(minimum(1))),
    }),
    async plan({ path, offset }, context) {
      const place = await planned.plan(path, context);
      const line = offset === undefined ? {} : { line: Math.floor(offset) };
      return {
        title: `Read ${place.shown}`,
        locations: [{ path: place.real, ...line }],
        ...readAccess(place),
      };
    },
    async run({ path, offset = 1, limit = MAX_LINES }, context) {
      const place = await planned.run(path, context);
      const first = Math.floor(offset);
      const bounds = {
        skip: first - 1,
        lines: Math.min(Math.floor(limit), MAX_LINES),
        bytes: MAX_BYTES,
        width: MAX_WIDTH * 4,
      };
      const held = await editorText(place, context);
      const file = held === undefined ? await openFile(place) : bytesOf(held);
      try {
        const taken = await takeLines(file, bounds, context.signal);
        return { content: page(taken, first, place.shown) };
      } finally {
        await file.close();
      }
    },
  });
}

function page(taken: Lines, first: number, shown: string): string {
  const { lines, ended, seen } = taken;
  if (lines.length === 0) {
    if (seen === 0) return "(empty file)";
    throw new RangeError(
      `Cannot read line ${first}: "${shown}" has ${seen} lines`,
    );
  }
  const rows = lines.map((line, i) =>
    `${first + i}\t${lineText(line, first + i, shown)}`
  );
  const next = first + lines.length;
  if (!ended) rows.push(`(there is more: go on with offset ${next})`);
  else if (first > 1) rows.push(`(end of file: ${seen} lines)`);
  return rows.join("\n");
}

function lineText({ bytes, cut }: Line, n: number, shown: string): string {
  if (bytes.includes(0)) throw new TypeError(notText(bytes, shown));
  let text: string;
  try {
    // `stream` forgives a character that the width cut in half.
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: n > 1 })
      .decode(bytes, { stream: cut });
  } catch (error) {
    throw new TypeError(notText(bytes, shown), { cause: error });
  }
  if (!cut && text.length <= MAX_WIDTH) return text.replace(/\r$/, "");
  return `${text.slice(0, MAX_WIDTH).toWellFormed()} (line cut)`;
}
