import {
  array,
  enum as oneOf,
  int,
  literal,
  looseObject,
  null as nil,
  number,
  optional,
  regex,
  string,
  union,
} from "zod/mini";
import { safeParse } from "zod/v4/core";
import type { SessionEvent } from "./event.ts";
import { issueLine } from "./issue.ts";
import type { Schema } from "./plugin.ts";

/**
 * Why a stored value is no session event; undefined when it is one. Fields and
 * event types that this version does not know are fine.
 */
export function eventProblem(value: unknown): string | undefined {
  const problem = problemOf(Any, value);
  if (problem) return problem;
  const { type, message } = value as { type: string; message?: unknown };
  const schema = Object.hasOwn(EVENTS, type) ? EVENTS[type] : undefined;
  if (!schema) return undefined;
  return problemOf(schema, value) ??
    (type === "message" ? messageProblem(message) : undefined);
}

/** Throws when an event, once stored, could not be read back. */
export function checkEvents(
  id: string,
  events: readonly SessionEvent[],
): void {
  for (const event of events) {
    const problem = eventProblem(event);
    if (problem === undefined) continue;
    throw new TypeError(
      `Cannot add event ${event.seq} to session ${id}: ${problem}`,
    );
  }
}

function messageProblem(message: unknown): string | undefined {
  const { role } = message as { role: keyof typeof MESSAGES };
  const problem = problemOf(MESSAGES[role], message);
  return problem && `message.${problem}`;
}

function problemOf(schema: Schema, value: unknown): string | undefined {
  const result = safeParse(schema, value, { reportInput: true });
  const [issue] = result.error?.issues ?? [];
  return issue && issueLine(issue);
}

// Cursors carry times in base64 and lists are sorted by them.
const Time = string().check(regex(/^[\x20-\x7e]{0,64}$/));

const Any = looseObject({ seq: int(), at: Time, type: string() });

// Blocks of a type that is not known here come from a newer version.
const Text = union([string(), array(looseObject({ type: string() }))]);

const Usage = looseObject({
  input: number(),
  output: number(),
  cached: optional(number()),
});

const Call = looseObject({ id: string(), name: string() });

const Location = looseObject({ path: string(), line: optional(number()) });

const Diff = looseObject({
  path: string(),
  oldText: union([string(), nil()]),
  newText: string(),
});

const MESSAGES = {
  system: looseObject({
    id: string(),
    content: string(),
    summary: optional(literal(true)),
  }),
  user: looseObject({ id: string(), content: Text }),
  assistant: looseObject({
    id: string(),
    content: string(),
    thought: optional(string()),
    toolCalls: optional(array(Call)),
    model: optional(string()),
    usage: optional(Usage),
  }),
  tool: looseObject({
    id: string(),
    toolCallId: string(),
    name: string(),
    content: string(),
    status: oneOf(["completed", "failed", "cancelled"]),
    approval: oneOf(["allowed", "denied", "auto"]),
    locations: optional(array(Location)),
    diffs: optional(array(Diff)),
  }),
} as const;

const Role = oneOf(["system", "user", "assistant", "tool"]);

const State = looseObject({
  seq: number(),
  createdAt: Time,
  updatedAt: Time,
  cwd: string(),
  model: string(),
  title: string(),
  turns: number(),
  usage: Usage,
  messages: array(looseObject({ role: Role, seq: number(), at: string() })),
  errors: array(looseObject({ at: string(), line: string() })),
});

const EVENTS: Readonly<Record<string, Schema>> = {
  opened: looseObject({ cwd: string(), model: string() }),
  message: looseObject({ message: looseObject({ role: Role }) }),
  settled: looseObject({ reason: string() }),
  withdrawn: looseObject({ from: number() }),
  compacted: looseObject({ summary: string(), keepFrom: number() }),
  failed: looseObject({
    kind: string(),
    turns: number(),
    question: string(),
    line: string(),
    raw: optional(string()),
    prompt: optional(Text),
  }),
  titled: looseObject({ title: string() }),
  restored: looseObject({ state: State }),
};
