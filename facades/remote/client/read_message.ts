import {
  array,
  boolean,
  enum as oneOf,
  int,
  looseObject,
  number,
  optional,
  string,
  union,
} from "zod/mini";
import { safeParse } from "zod/v4/core";
import { eventProblem } from "../../../core/check_event.ts";
import type { SessionEvent, Update } from "../../../core/event.ts";
import type { Schema } from "../../../core/plugin.ts";
import type { Part, Placed, ServerMessage } from "../wire.ts";

/**
 * A frame of the server. Undefined when it is none, or of a type that this
 * client does not know: both are nothing to it. Of the events in it, those
 * that it cannot read are left out.
 */
export function readMessage(text: string): ServerMessage | Part | undefined {
  const value = parsed(text);
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== "string" || !Object.hasOwn(MESSAGES, type)) {
    return undefined;
  }
  if (!fits(MESSAGES[type], value)) return undefined;
  const message = value as ServerMessage | Part;
  switch (message.type) {
    case "structured_replay":
      return { ...message, events: message.events.filter(isPlaced) };
    case "event":
      // Its position counts, whatever it is: a hole would ask for a replay.
      return isUpdate(message.event)
        ? message
        : { ...message, event: { type: "unreadable" } as unknown as Update };
    default:
      return message;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isPlaced(value: Placed): boolean {
  return fits(PLACED, value) && isUpdate(value.event);
}

// Types that are not known are fine: whoever reads them passes them over.
function isUpdate(event: Update): boolean {
  if (!fits(TYPED, event)) return false;
  if ("seq" in event) return isEvent(event);
  return !Object.hasOwn(LIVE, event.type) || fits(LIVE[event.type], event);
}

function isEvent(event: SessionEvent): boolean {
  if (eventProblem(event) !== undefined) return false;
  return event.type !== "restored" ||
    event.state.messages.every((message) =>
      isEvent({ type: "message", seq: message.seq, at: message.at, message })
    );
}

function fits(schema: Schema | undefined, value: unknown): boolean {
  return schema !== undefined && safeParse(schema, value).success;
}

const TYPED = looseObject({ type: string() });

const PLACED = looseObject({ seq: int(), event: TYPED });

const CALL = looseObject({ id: string(), name: string() });

const DIFF = looseObject({ path: string(), newText: string() });

const PLACES = array(looseObject({ path: string() }));

const REQUEST = looseObject({
  id: string(),
  call: CALL,
  title: string(),
  kind: string(),
  locations: PLACES,
  diffs: array(DIFF),
  reason: string(),
});

const INFO = looseObject({
  recordSeq: int(),
  seq: int(),
  running: boolean(),
  waiting: int(),
  title: string(),
  model: string(),
  mode: string(),
  cwd: string(),
  createdAt: string(),
  updatedAt: string(),
  turns: int(),
  usage: looseObject({ input: number(), output: number() }),
  contextTokens: number(),
  contextWindow: optional(number()),
  open: optional(int()),
  errors: int(),
  approvals: array(REQUEST),
  presence: int(),
});

const MESSAGES: Readonly<Record<string, Schema>> = {
  hello: looseObject({
    version: string(),
    cwd: string(),
    commands: array(looseObject({ name: string(), summary: string() })),
    token: optional(string()),
  }),
  structured_replay: looseObject({
    session: string(),
    epoch: string(),
    seq: int(),
    last: boolean(),
    since: optional(int()),
    truncated: boolean(),
    events: array(looseObject({})),
    state: INFO,
  }),
  event: looseObject({ session: string(), seq: int(), event: looseObject({}) }),
  state: looseObject({ session: string(), state: INFO }),
  presence: looseObject({ session: string(), count: int() }),
  moved: looseObject({ session: string(), to: string() }),
  gone: looseObject({ session: string(), to: optional(string()) }),
  ack: looseObject({
    id: string(),
    session: optional(string()),
    seq: optional(int()),
    settled: optional(boolean()),
    sessions: optional(array(looseObject({ id: string(), title: string() }))),
    next: optional(string()),
    said: optional(array(string())),
  }),
  error: looseObject({
    id: optional(string()),
    code: string(),
    message: string(),
  }),
  part: looseObject({
    id: string(),
    seq: int(),
    last: boolean(),
    text: string(),
  }),
};

const SAID = looseObject({ messageId: string(), text: string() });

const LIVE: Readonly<Record<string, Schema>> = {
  text: SAID,
  thought: SAID,
  tool_started: looseObject({
    call: CALL,
    title: string(),
    kind: string(),
    locations: PLACES,
    diffs: optional(array(DIFF)),
  }),
  tool_running: looseObject({ toolCallId: string() }),
  tool_output: looseObject({ toolCallId: string(), text: string() }),
  approval_asked: looseObject({ request: REQUEST }),
  approval_settled: looseObject({
    requestId: string(),
    decision: looseObject({ outcome: string() }),
  }),
  usage: looseObject({ used: number() }),
  running: looseObject({ running: boolean() }),
  notice: looseObject({ level: oneOf(["info", "warning"]), text: string() }),
  moved: looseObject({ from: string(), to: string() }),
  rotated: looseObject({}),
  // Durable events whose `seq` was lost on the way are none.
  ...Object.fromEntries(
    ["opened", "message", "settled", "withdrawn", "compacted"].concat([
      "failed",
      "titled",
      "restored",
    ]).map((type) => [type, union([])]),
  ),
};
