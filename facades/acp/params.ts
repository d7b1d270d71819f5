import {
  array,
  boolean,
  catch as orElse,
  discriminatedUnion,
  enum as oneOf,
  int,
  literal,
  maximum,
  minimum,
  nullable,
  number,
  object,
  optional,
  refine,
  string,
  union,
  type ZodMiniType,
} from "zod/mini";
import type { Checked } from "../../core/plugin.ts";

/** Says hello, and what the client can do. */
export const Initialize = object({
  protocolVersion: int().check(minimum(0), maximum(65_535)),
  clientCapabilities: lenient(object({
    fs: lenient(object({
      readTextFile: lenient(boolean()),
      writeTextFile: lenient(boolean()),
    })),
    session: lenient(object({
      notices: lenient(object({})),
      compaction: lenient(object({})),
    })),
    auth: lenient(object({ terminal: lenient(boolean()) })),
  })),
});

/** What the client said that it can do. */
export type Capabilities = NonNullable<
  Checked<typeof Initialize>["clientCapabilities"]
>;

/** Chooses a way to authenticate. */
export const Authenticate = object({ methodId: string() });

const pairs = nullable(array(object({ name: string(), value: string() })));

const Server = union([
  object({
    type: oneOf(["http", "sse"]),
    name: string(),
    url: string(),
    headers: pairs,
  }),
  object({
    name: string(),
    command: string(),
    args: nullable(array(string())),
    env: pairs,
  }),
]);

/** A tool server the client brings. */
export type Server = Checked<typeof Server>;

const folders = {
  cwd: string(),
  additionalDirectories: optional(nullable(array(string()))),
};

/** Opens a conversation. */
export const New = object({ ...folders, mcpServers: nullable(array(Server)) });

/** Opens a stored one, and tells it again. */
export const Load = object({
  ...folders,
  sessionId: string(),
  mcpServers: nullable(array(Server)),
});

/** Opens a stored one that the client still shows. */
export const Resume = object({
  ...folders,
  sessionId: string(),
  mcpServers: optional(nullable(array(Server))),
});

/** Asks for a page of the list. */
export const List = object({
  cwd: optional(nullable(string())),
  cursor: optional(nullable(string())),
});

/** Is about an open conversation, or a stored one. */
export const OfSession = object({ sessionId: string() });

const Resource = union([
  object({ uri: string(), mimeType: lenient(string()), text: string() }),
  object({ uri: string(), mimeType: lenient(string()), blob: string() }),
]);

const Block = discriminatedUnion("type", [
  object({ type: literal("text"), text: string() }),
  object({
    type: literal("image"),
    data: string(),
    mimeType: string(),
    uri: lenient(string()),
  }),
  object({ type: literal("audio"), data: string(), mimeType: string() }),
  object({
    type: literal("resource_link"),
    uri: string(),
    name: string(),
    title: lenient(string()),
    description: lenient(string()),
    mimeType: lenient(string()),
    size: lenient(number().check(refine(Number.isInteger))),
  }),
  object({ type: literal("resource"), resource: Resource }),
]);

/** A piece of a prompt. */
export type Block = Checked<typeof Block>;

/** Says something in a conversation. */
export const Prompt = object({ sessionId: string(), prompt: array(Block) });

/** Chooses who decides on tool calls. */
export const SetMode = object({ sessionId: string(), modeId: string() });

/** Chooses the value of an option. */
export const SetOption = object({
  sessionId: string(),
  configId: string(),
  value: string(),
});

// ACP's rule for what may be left out: what cannot be used counts as left out.
function lenient<S extends ZodMiniType>(schema: S) {
  return orElse(optional(schema), undefined);
}
