import { Buffer } from "node:buffer";
import type { SessionEvent } from "../../core/event.ts";
import { lighten } from "../../core/light.ts";
import { MAX_BYTES, type OpenFile } from "../files/open_file.ts";
import { replace } from "../files/replace.ts";
import { stampOf } from "../files/stamp.ts";
import { eventLines, headerLine, summaryLine } from "./lines.ts";
import type { Source } from "./load.ts";
import { SUMMARY_EVERY } from "./peek.ts";
import type { Place } from "./place.ts";
import { appendText, setTornApart } from "./write.ts";

/** Adds events at a place in an open file; what was torn there goes to the file `torn`. */
export async function addEvents(
  open: OpenFile,
  place: Place,
  { events, torn }: {
    readonly events: readonly SessionEvent[];
    readonly torn: string;
  },
): Promise<Place> {
  const { end } = place;
  const light = lighten(events, place.light);
  // The last line has no line end after a person's editor saved the file.
  const lead = place.ended ? "" : "\n";
  const lines = Buffer.from(lead + eventLines(events));
  const unsummed = place.unsummed + lines.length;
  const summed = unsummed > SUMMARY_EVERY;
  const summary = summed ? Buffer.from(summaryLine(light)) : undefined;
  const text = summary ? Buffer.concat([lines, summary]) : lines;
  checkSize(end + text.length);
  if (end < open.stamp.size) setTornApart(open, end, torn);
  const stamp = await appendText(open, end, text);
  return {
    stamp,
    end: end + text.length,
    ended: true,
    light,
    unsummed: summary?.length ?? unsummed,
  };
}

/** Makes the file of a new session. */
export async function createSession(
  { path, id }: Source,
  events: readonly [SessionEvent, ...SessionEvent[]],
): Promise<Place> {
  // Apart: a conversation that is restored is one line, and may be large.
  const header = Buffer.from(headerLine(id, events[0]));
  const lines = Buffer.from(eventLines(events));
  const length = header.length + lines.length;
  const light = lighten(events);
  const summed = length > SUMMARY_EVERY;
  const summary = Buffer.from(summed ? summaryLine(light) : "");
  const end = length + summary.length;
  checkSize(end);
  const stamp = stampOf(await replace(path, [header, lines, summary]));
  return {
    stamp,
    end,
    ended: true,
    light,
    unsummed: summary.length || end,
  };
}

function checkSize(bytes: number): void {
  if (bytes <= MAX_BYTES) return;
  throw new RangeError(
    "it would be larger than 1 GiB and could not be read again, begin a new session",
  );
}
