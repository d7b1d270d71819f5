import type { ApprovalRequest, Decision } from "../../../core/approval.ts";
import type { SessionState } from "../../../core/fold.ts";
import type {
  Content,
  FileDiff,
  ToolCall,
  ToolKind,
  ToolLocation,
} from "../../../core/message.ts";
import type { Ack, ClientMessage, Hello, SessionInfo } from "../wire.ts";

/** How the connection is. `refused`: the server does not want this token, and trying again is no use. */
export type ConnectionState = "connecting" | "online" | "offline" | "refused";

/** What a client knows of one session: its copy of the record, and what is passing. */
export interface View {
  /** The session's id. */
  readonly session: string;
  /** The fold of the events that came: messages, title, turns …; `truncated` when older ones are missing. */
  readonly state: SessionState;
  /** What the server said besides; undefined until the first replay was whole. */
  readonly info: SessionInfo | undefined;
  /** A replay is under way: nothing may be started by what comes. */
  readonly replaying: boolean;
  /** A turn is under way. */
  readonly running: boolean;
  /** The answer that is being written. */
  readonly partial: PartialAnswer | undefined;
  /** The calls that have no result yet, in the order they started. */
  readonly tools: readonly RunningTool[];
  /** Open and settled questions of the running turn, oldest first. */
  readonly approvals: readonly Question[];
  /** What was sent and is not in the record yet, in the order it was sent. */
  readonly pending: readonly Pending[];
  /** Lines beside the conversation, told live alone. */
  readonly notes: readonly Note[];
  /** Clients that are attached. */
  readonly presence: number;
  /** The server has no such conversation any more: this is the last that was seen of it. */
  readonly gone?: true;
}

/** An answer that is being written. */
export interface PartialAnswer {
  readonly messageId: string;
  readonly text: string;
  readonly thought: string;
}

/** A call without a result. */
export interface RunningTool {
  readonly call: ToolCall;
  readonly title: string;
  readonly kind: ToolKind;
  readonly locations: readonly ToolLocation[];
  readonly diffs: readonly FileDiff[];
  readonly status: "waiting" | "running";
  /** The end of what it printed. */
  readonly output: string;
}

/** An approval; `decision` is there once somebody answered. */
export interface Question {
  readonly request: ApprovalRequest;
  readonly decision?: Decision;
}

/** A message on its way: its bubble is a placeholder until the record has it. */
export interface Pending {
  /** The id its message will have. */
  readonly id: string;
  readonly type: "prompt" | "steer";
  readonly content: Content;
  /** Why it was refused; it is kept so that it can be sent again or dropped. */
  readonly refused?: string;
}

/** A line beside the conversation; it stands behind the message `after` (a `seq`). */
export interface Note {
  readonly after: number;
  readonly level: "info" | "warning" | "error";
  readonly text: string;
}

/** What both clients, the web page and `mm attach`, are built on. */
export interface RemoteClientApi {
  readonly connection: ConnectionState;
  /** What the server said of itself; undefined until it did. */
  readonly hello: Hello | undefined;
  /** The session that is shown; undefined when none is. */
  readonly view: View | undefined;
  /** Hears that something above changed, at most once a microtask. */
  subscribe(changed: () => void): () => void;
  /** Shows a session from now on; reconnects attach to it again. */
  attach(session: string): Promise<void>;
  /** Starts a conversation and shows it; one begun here before whose start may not have arrived is named. Resolves to the id. */
  create(session?: string): Promise<string>;
  /** Asks, or steers when a turn is running: `pending` has it at once. Resolves when the record has it. */
  say(content: Content): Promise<void>;
  /** Sends what was refused again, or forgets it. */
  again(id: string): Promise<void>;
  forget(id: string): void;
  /** Any other message, sent again after a reconnection until it is acknowledged. Throws a RefusalError. */
  send<T extends ClientMessage["type"]>(
    message: Omit<Extract<ClientMessage, { type: T }>, "id">,
  ): Promise<Ack>;
  /** Tries to connect now: the network came back, the page is looked at again. */
  wake(): void;
  /** Leaves for good. */
  close(): void;
}
