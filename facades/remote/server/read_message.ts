import {
  array,
  discriminatedUnion,
  enum as oneOf,
  int,
  literal,
  maximum,
  maxLength,
  minimum,
  minLength,
  object,
  optional,
  refine,
  string,
  union,
} from "zod/mini";
import { issueLine } from "../../../core/issue.ts";
import type { ClientMessage } from "../wire.ts";
import { Refused } from "./refused.ts";

/** A client's message, checked; fields that are not known are left out. Throws Refused. */
export function readMessage(text: string): ClientMessage {
  const value = parsed(text);
  const type = field(value, "type");
  if (typeof type === "string" && !TYPES.has(type)) {
    throw new Refused(
      "unknown_type",
      `Cannot do "${type.slice(0, 40)}": this server has no such message`,
    );
  }
  const result = Message.safeParse(value, { reportInput: true });
  if (result.success) return result.data as ClientMessage;
  const [issue] = result.error.issues;
  throw new Refused(
    "bad_message",
    `Cannot read the message: ${issue ? issueLine(issue) : "wrong shape"}`,
  );
}

/** The id of a message that cannot be read otherwise, so that its sender knows which. */
export function idOf(text: string): string | undefined {
  const [, id] = /"id"\s*:\s*"([\w.-]{1,64})"/.exec(text.slice(0, 1000)) ?? [];
  return id;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused("bad_message", "Cannot read the message: it is no JSON");
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as { [name: string]: unknown })[name]
    : undefined;
}

const id = string().check(
  refine((id) => /^[\w.-]{1,64}$/.test(id), {
    error: "expected 1 to 64 letters, digits, _, . or -",
  }),
);

const session = string().check(maxLength(64));

const media = {
  data: string(),
  mimeType: string().check(maxLength(200)),
};

const Block = discriminatedUnion("type", [
  object({ type: literal("text"), text: string() }),
  object({ type: literal("image"), ...media, uri: optional(string()) }),
  object({ type: literal("audio"), ...media }),
  object({
    type: literal("resource_link"),
    uri: string(),
    name: string(),
    title: optional(string()),
    description: optional(string()),
    mimeType: optional(string()),
    size: optional(int()),
  }),
  object({
    type: literal("resource"),
    resource: object({
      uri: string(),
      mimeType: optional(string()),
      text: optional(string()),
      blob: optional(string()),
    }),
  }),
]);

const content = union([
  string().check(
    refine((text) => /\S/.test(text), { error: "expected some text" }),
  ),
  array(Block).check(
    minLength(1),
    maxLength(1000),
    refine((blocks) => blocks.some(saysSomething), {
      error: "expected some text",
    }),
  ),
]);

function saysSomething(block: { type: string; text?: unknown }): boolean {
  return block.type !== "text" || /\S/.test(String(block.text));
}

const Message = discriminatedUnion("type", [
  object({
    type: literal("attach"),
    id,
    session,
    since: optional(int().check(minimum(0))),
    epoch: optional(string()),
  }),
  object({ type: literal("new"), id, session: optional(session) }),
  object({ type: literal("prompt"), id, session, content }),
  object({ type: literal("steer"), id, session, content }),
  object({ type: literal("cancel"), id, session }),
  object({
    type: literal("approve"),
    id,
    session,
    request: string(),
    outcome: oneOf(["allow_once", "allow_always", "reject"]),
    reason: optional(string().check(maxLength(10_000))),
  }),
  object({
    type: literal("list"),
    id,
    text: optional(string()),
    search: optional(string()),
    cursor: optional(string()),
    limit: optional(int().check(minimum(1), maximum(200))),
  }),
  object({ type: literal("delete"), id, session }),
  object({ type: literal("command"), id, session, text: string() }),
  object({ type: literal("ping"), id }),
]);

const TYPES = new Set<string>(
  Message.def.options.map((o) => o.def.shape.type.def.values[0] ?? ""),
);
