/**
 * What passes between `mm serve` and its clients: docs/remote-protocol.md in
 * types. Fields and types are added, never changed; a client ignores what it
 * does not know.
 */
import type { ApprovalRequest, Decision } from "../../core/approval.ts";
import type { ApprovalMode } from "../../core/approval.ts";
import type { Update } from "../../core/event.ts";
import type { Content, Usage } from "../../core/message.ts";
import type { Summary } from "../../core/store.ts";

/** The WebSocket subprotocol of this version of the wire. */
export const PROTOCOL = "mm.v1";

/** Prefix of the subprotocol that carries the token: the URL of `/ws` must not. */
export const BEARER = "bearer.";

/** The close code of a connection whose token is wrong: trying again is no use. */
export const REFUSED = 4401;

/**
 * A replay slice, and each frame the server sends, is at most so long, in UTF-8
 * bytes. A frame is heard when it is whole: on a slow link that has to be before
 * the client takes the silence for the end of the connection.
 */
export const MAX_FRAME = 32 * 1024;

/** The longest message a client may send, in UTF-8 bytes. */
export const MAX_MESSAGE = 4 * 1024 * 1024;

/** All that a server sends, `part` aside. */
export type ServerMessage =
  | Hello
  | StructuredReplay
  | EventMessage
  | StateMessage
  | Presence
  | Moved
  | Gone
  | Ack
  | Refusal;

/** The first message of a connection. */
export interface Hello {
  readonly type: "hello";
  /** Of mm. */
  readonly version: string;
  /** The project's folder on the server. */
  readonly cwd: string;
  /** What may be typed; what is run by `command`. */
  readonly commands: readonly CommandInfo[];
  /** What lets the client in from now on: it came by a ticket that is good once. */
  readonly token?: string;
}

/** A `/name` that the server runs. */
export interface CommandInfo {
  readonly name: string;
  readonly summary: string;
  readonly hint?: string;
}

/**
 * A part of the record of a session. On slice 0 without `since` the client
 * forgets what it shows of the session; on every slice 0 it forgets what was
 * only passing (the partial answer, running tools, open approvals), which the
 * last slices bring again. Effects wait for `last`.
 */
export interface StructuredReplay {
  readonly type: "structured_replay";
  readonly session: string;
  /** Tells one record from another: positions of another epoch mean nothing. */
  readonly epoch: string;
  /** 0, 1, 2 …: the place of this slice in the replay. */
  readonly seq: number;
  readonly last: boolean;
  /** Set when the slices hold only what came after this position. */
  readonly since?: number;
  /** Older events are missing from the record; with `since`, that says nothing of what came before it. */
  readonly truncated: boolean;
  readonly events: readonly Placed[];
  /** Adopted on the last slice; the others carry it too, without its approvals. */
  readonly state: SessionInfo;
}

/** An update and its position in the record; what is passing stands, in a replay, at the newest position. */
export interface Placed {
  readonly seq: number;
  readonly event: Update;
}

/** What happens now. Positions of one session and epoch go up by one. */
export interface EventMessage extends Placed {
  readonly type: "event";
  readonly session: string;
}

/** What is true of a session besides its messages. */
export interface SessionInfo {
  /** The position of the newest event in the record: the `since` of the next attach. */
  readonly recordSeq: number;
  /** The newest durable event, as `SessionState.seq`. */
  readonly seq: number;
  readonly running: boolean;
  /** Turns that wait behind the running one. */
  readonly waiting: number;
  readonly title: string;
  readonly model: string;
  readonly mode: ApprovalMode;
  readonly cwd: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly turns: number;
  readonly usage: Usage;
  readonly contextTokens: number;
  readonly contextWindow?: number;
  /** `seq` of the question whose turn is not settled. */
  readonly open?: number;
  /** Failures on record; `/errors` tells them. */
  readonly errors: number;
  /** Approvals that wait for an answer, oldest first. */
  readonly approvals: readonly ApprovalRequest[];
  /** Clients that are attached. */
  readonly presence: number;
}

/** What changed without an event that says so, such as the model. */
export interface StateMessage {
  readonly type: "state";
  readonly session: string;
  readonly state: SessionInfo;
}

/** How many clients are attached to the session. */
export interface Presence {
  readonly type: "presence";
  readonly session: string;
  readonly count: number;
}

/** The session goes on under another id; a whole replay under it follows. */
export interface Moved {
  readonly type: "moved";
  readonly session: string;
  readonly to: string;
}

/**
 * The conversation is not under this id any more: it goes on under `to`, and an
 * empty record follows for the one that begins here; or it was removed.
 */
export interface Gone {
  readonly type: "gone";
  readonly session: string;
  /** Where it is kept; absent when it was removed. */
  readonly to?: string;
}

/** The message `id` was done; sent again, it is acknowledged again and done no second time. */
export interface Ack {
  readonly type: "ack";
  readonly id: string;
  readonly session?: string;
  /** Of `prompt` and `steer`: position of the message in the record; absent when it was cancelled first. */
  readonly seq?: number;
  /** Of `approve`: whether this answer was the one that counted. */
  readonly settled?: boolean;
  /** Of `list`. */
  readonly sessions?: readonly Listed[];
  /** Of `list`: there are more, from this cursor on. */
  readonly next?: string;
  /** Of `command`: what it said, Markdown. */
  readonly said?: readonly string[];
}

/** A session in a list. */
export interface Listed extends Summary {
  /** A turn is under way. */
  readonly running?: boolean;
  /** Where the words that were searched for stand. */
  readonly snippets?: readonly string[];
}

/** Why the message `id` was not done; without `id`, what was wrong with what could not be read. */
export interface Refusal {
  readonly type: "error";
  readonly id?: string;
  readonly code: RefusalCode;
  /** For people: what was attempted, why it failed, the way out. */
  readonly message: string;
}

/** What went wrong, for programs. */
export type RefusalCode =
  | "bad_message" // not JSON, or not of the shape of its type
  | "unknown_type"
  | "no_session"
  | "too_large"
  | "too_many" // too many messages at once
  | "failed"; // it was tried: `message` says why

/** A frame that would have been too long, cut up: the texts of one `id` in their order are the frame. */
export interface Part {
  readonly type: "part";
  readonly id: string;
  readonly seq: number;
  readonly last: boolean;
  readonly text: string;
}

/** All that a client sends. `id` is the client's own, unlike any other it or anyone sends. */
export type ClientMessage =
  & { readonly id: string }
  & Readonly<
    | {
      type: "attach";
      session: string;
      /** What is already here, of which record. */
      since?: number;
      epoch?: string;
    }
    /** Starts a conversation and attaches to it. `session` names it; one that is there is attached to. */
    | { type: "new"; session?: string }
    /** Its message gets `id` as its id. Behind a running turn it waits. */
    | { type: "prompt"; session: string; content: Content }
    /** The same, into the running turn. */
    | { type: "steer"; session: string; content: Content }
    | { type: "cancel"; session: string }
    | {
      type: "approve";
      session: string;
      request: string;
      outcome: Exclude<Decision["outcome"], "cancelled">;
      reason?: string;
    }
    | {
      type: "list";
      /** Part of a title. */
      text?: string;
      /** Words to look for in messages. */
      search?: string;
      cursor?: string;
      limit?: number;
    }
    /** Removes a conversation for good; one that is not there is removed already. */
    | { type: "delete"; session: string }
    /** `/name arguments`. */
    | { type: "command"; session: string; text: string }
    | { type: "ping" }
  >;
