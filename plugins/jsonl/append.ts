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
  const lines = Buffer.from(eventLines(events));
  const unsummed = place.unsummed + lines.length;
  const summary = Buffer.from(
    unsummed > SUMMARY_EVERY ? summaryLine(light) : "",
  );
  // The last line has none after a person's editor saved the file.
  const lead = Buffer.from(place.ended ? "" : "\n");
  const parts = Buffer.concat([lead, lines, summary]);
  checkSize(end + parts.length);
  if (end < open.stamp.size) setTornApart(open, end, torn);
  const stamp = await appendText(open, end, parts);
  return {
    stamp,
    end: end + parts.length,
    ended: true,
    light,
    unsummed: summary.length || unsummed,
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
