import { Buffer } from "node:buffer";
import type { Live } from "../../../core/event.ts";
import { takeFrame } from "./frame_pool.ts";
import { cut } from "./frames.ts";
import { type Excerpt, placedJson } from "./record.ts";
import { MAX_FRAME, type SessionInfo, type StructuredReplay } from "../wire.ts";

/** What a replay tells. */
export interface ReplayInit {
  readonly session: string;
  readonly excerpt: Excerpt;
  /** What is in no record yet; it ends the replay. */
  readonly passing: Iterable<Live>;
  readonly state: SessionInfo;
}

/**
 * A replay as frames. They are made one at a time: for a slow client no more
 * of it lies in memory than what the record holds anyway. Whoever has sent one
 * may give it back by `giveFrame`.
 */
export function* slices(init: ReplayInit): Generator<Buffer> {
  const { excerpt, passing } = init;
  const told = [...passing].map((event) =>
    Buffer.from(placedJson({ seq: excerpt.last, json: JSON.stringify(event) }))
  );
  const groups = [...grouped([...excerpt.events, ...told], init)];
  for (const [seq, events] of groups.entries()) {
    const last = seq === groups.length - 1;
    yield* cut(slice(head(init, { seq, last }), events));
  }
}

/** Groups of events that fit into a slice each; one that fits into none is alone. */
function* grouped(
  events: readonly Buffer[],
  init: ReplayInit,
): Generator<readonly Buffer[]> {
  const heads = [false, true].map((last) =>
    head(init, { seq: events.length, last }).length + END.length
  );
  const [room = 0, lastRoom = 0] = heads.map((size) => MAX_FRAME - size);
  let group: Buffer[] = [];
  let bytes = 0;
  for (const event of events) {
    if (group.length > 0 && bytes + event.length + 1 > room) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(event);
    bytes += event.length + 1;
  }
  // The last slice has the longest head: the open approvals are in it.
  if (group.length > 0 && bytes > lastRoom) {
    yield group;
    group = [];
  }
  yield group;
}

function head(
  { session, excerpt, state }: ReplayInit,
  { seq, last }: { readonly seq: number; readonly last: boolean },
): Buffer {
  const { epoch, since, truncated } = excerpt;
  const message: Omit<StructuredReplay, "events"> = {
    type: "structured_replay",
    session,
    epoch,
    seq,
    last,
    ...(since !== undefined && { since }),
    truncated,
    state: last ? state : { ...state, approvals: [] },
  };
  return Buffer.from(`${JSON.stringify(message).slice(0, -1)},"events":[`);
}

const END = Buffer.from("]}");

const COMMA = ",".charCodeAt(0);

function slice(head: Buffer, events: readonly Buffer[]): Buffer {
  const bytes = events.reduce((sum, event) => sum + event.length + 1, 0);
  const frame = takeFrame(head.length + bytes + END.length);
  frame.set(head);
  let at = head.length;
  for (const event of events) {
    frame.set(event, at);
    at += event.length;
    frame[at++] = COMMA;
  }
  if (events.length > 0) at--; // none behind the last one
  frame.set(END, at);
  return frame.subarray(0, at + END.length);
}
