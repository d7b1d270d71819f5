/** What the sender of a block adds for other readers than the model: kept as it came. */
export interface BlockNotes {
  /** For whom it is, and how much it matters. */
  readonly annotations?: { readonly [name: string]: unknown };
  /** Anything. */
  readonly _meta?: { readonly [name: string]: unknown };
}

/** A piece of a message, in the shape of an ACP v1 content block. */
export type ContentBlock =
  & BlockNotes
  & (
    | { readonly type: "text"; readonly text: string }
    | {
      readonly type: "image";
      readonly data: string;
      readonly mimeType: string;
      readonly uri?: string;
    }
    | {
      readonly type: "audio";
      readonly data: string;
      readonly mimeType: string;
    }
    | {
      readonly type: "resource_link";
      readonly uri: string;
      readonly name: string;
      readonly title?: string;
      readonly description?: string;
      readonly mimeType?: string;
      readonly size?: number;
    }
    | {
      readonly type: "resource";
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text?: string;
        readonly blob?: string;
      };
    }
  );

/** Plain text, or blocks when there is more than text (`data` and `blob` are base64). */
export type Content = string | readonly ContentBlock[];

/** A tool the model asked for. `arguments` is a string only when it was not valid JSON. */
export interface ToolCall {
  /** Unique in its session. */
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** As the model gave them, unchecked. */
  readonly arguments: unknown;
}

/** Tokens, as the model server counts them. `input` includes the cached ones. */
export interface Usage {
  /** Tokens read. */
  readonly input: number;
  /** Tokens written. */
  readonly output: number;
  /** Those of `input` the server had cached. */
  readonly cached?: number;
}

/** Why a model stopped, in ACP's words plus `tool_use`. */
export type StopReason =
  | "end_turn"
  | "tool_use"
  | "max_tokens"
  | "refusal"
  | "cancelled";

/** What a tool does, in ACP's words: facades choose an icon by it. */
export type ToolKind =
  | "read"
  | "edit"
  | "delete"
  | "move"
  | "search"
  | "execute"
  | "think"
  | "fetch"
  | "other";

/** A file, or a 1-based line of it, that a tool call touches. Paths are absolute. */
export interface ToolLocation {
  /** Absolute. */
  readonly path: string;
  /** 1-based. */
  readonly line?: number;
}

/** What changed in one file; `oldText` is null for a new file. */
export interface FileDiff {
  /** Absolute. */
  readonly path: string;
  /** Before; null for a new file. */
  readonly oldText: string | null;
  /** After. */
  readonly newText: string;
  /** 1-based line at which `newText` starts, when it is only a part of the file. */
  readonly line?: number;
}

/** The agent's own words to the model, or (`summary`) what compaction put in place of old turns. */
export interface SystemMessage {
  /** Tells messages apart. */
  readonly role: "system";
  /** Opaque. */
  readonly id: string;
  /** The prompt, or the summary. */
  readonly content: string;
  /** Set on a summary alone. */
  readonly summary?: true;
}

/** What the user asked, in the user's own blocks. */
export interface UserMessage {
  /** Tells messages apart. */
  readonly role: "user";
  /** Opaque. */
  readonly id: string;
  /** Text, or blocks. */
  readonly content: Content;
}

/** One answer of the model. `provider` is opaque data the model plugin needs to continue. */
export interface AssistantMessage {
  /** Tells messages apart. */
  readonly role: "assistant";
  /** Opaque. */
  readonly id: string;
  /** What was said; empty when there are only calls. */
  readonly content: string;
  /** What was thought aloud before. */
  readonly thought?: string;
  /** What was asked for; absent when nothing was. */
  readonly toolCalls?: readonly ToolCall[];
  /** Who answered. */
  readonly model?: string;
  /** Why it stopped. */
  readonly stopReason?: StopReason;
  /** What it cost. */
  readonly usage?: Usage;
  /** Opaque data of the model plugin. */
  readonly provider?: unknown;
  /** `seq` of the last message its request held; set when others arrived meanwhile (steer). */
  readonly saw?: number;
}

/** How one tool call ended, with all that a screen needs to show it again. */
export interface ToolMessage {
  /** Tells messages apart. */
  readonly role: "tool";
  /** Opaque. */
  readonly id: string;
  /** The call it answers. */
  readonly toolCallId: string;
  /** The tool's name. */
  readonly name: string;
  /** What the model reads, whole. */
  readonly content: string;
  /** How it ended. */
  readonly status: "completed" | "failed" | "cancelled";
  /** Who let it run: a person, nobody, or the rules. */
  readonly approval: "allowed" | "denied" | "auto";
  /** Short, for people. */
  readonly title?: string;
  /** What the tool does. */
  readonly kind?: ToolKind;
  /** The files it touched. */
  readonly locations?: readonly ToolLocation[];
  /** What it changed. */
  readonly diffs?: readonly FileDiff[];
}

/** One entry of a conversation. `id` is opaque, unique in its session and stable. */
export type Message =
  | SystemMessage
  | UserMessage
  | AssistantMessage
  | ToolMessage;

/** A message in a record: with its place in the order and its time (ISO 8601, UTC). */
export type StoredMessage = Message & {
  readonly seq: number;
  readonly at: string;
};

/** The text of `content`, with a bracketed note where a block is not text. */
export function contentText(content: Content): string {
  if (typeof content === "string") return content;
  return content.map(blockText).join("\n");
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource":
      return block.resource.text ?? `[${block.resource.uri}]`;
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    default:
      return `[${block.type} ${block.mimeType}]`;
  }
}

/** The first non-blank line of `text`, cut to `max` UTF-16 units with an ellipsis. */
export function firstLine(text: string, max = 80): string {
  const line = /\S[^\r\n]*/.exec(text)?.[0].trimEnd() ?? "";
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  // Never end on half of a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
