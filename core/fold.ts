import type { Failure, SessionEvent } from "./event.ts";
import {
  contentText,
  firstLine,
  type StoredMessage,
  type Usage,
} from "./message.ts";

/** Error records kept per session; the oldest leave first. */
export const MAX_ERRORS = 200;

/** Longest title, in UTF-16 units: listings read only the head of a file. */
export const MAX_TITLE = 120;

/** A failure in a record: with its time. */
export type StoredFailure = Failure & { readonly at: string };

/** What a conversation amounts to: the fold of its events. */
export interface SessionState {
  /** The last event folded in; 0 when there is none. */
  readonly seq: number;
  /** Time of the opening event, ISO 8601, UTC. */
  readonly createdAt: string;
  /** Time of the last event. */
  readonly updatedAt: string;
  /** The folder the conversation is about, absolute. */
  readonly cwd: string;
  /** The id of the session this one came from: which `/new` put aside, or which another process went on with. */
  readonly parent?: string;
  /** The model that answered last. */
  readonly model: string;
  /** What it was renamed to, else the first question's first line. */
  readonly title: string;
  /** Settled turns, compacted ones included. */
  readonly turns: number;
  /** Tokens spent so far. */
  readonly usage: Usage;
  /** Tokens in the model's window after its last answer; 0 when unknown. */
  readonly contextTokens: number;
  /** `seq` of the question whose turn is not settled. */
  readonly open?: number;
  /** Older events are missing: a bounded store dropped them. */
  readonly truncated: boolean;
  /** The system prompt, then the conversation in its order. */
  readonly messages: readonly StoredMessage[];
  /** What went wrong, oldest first; the model never reads it. */
  readonly errors: readonly StoredFailure[];
}

/** The state before the first event. */
export function empty(): SessionState {
  return {
    seq: 0,
    createdAt: "",
    updatedAt: "",
    cwd: "",
    model: "",
    title: "",
    turns: 0,
    usage: { input: 0, output: 0 },
    contextTokens: 0,
    truncated: false,
    messages: [],
    errors: [],
  };
}

/** The one meaning of a log. Event types it does not know change only `seq` and `updatedAt`. */
export function fold(state: SessionState, event: SessionEvent): SessionState {
  const next = { ...state, seq: event.seq, updatedAt: event.at };
  switch (event.type) {
    case "opened":
      return {
        ...next,
        createdAt: event.at,
        cwd: event.cwd,
        model: event.model,
        ...(event.parent !== undefined && { parent: event.parent }),
      };
    case "message":
      return withMessage(next, {
        ...event.message,
        seq: event.seq,
        at: event.at,
      });
    case "settled":
      return { ...closed(next), turns: state.turns + 1 };
    case "withdrawn":
      return {
        ...(state.open !== undefined && state.open >= event.from
          ? closed(next)
          : next),
        messages: state.messages.filter((m) =>
          m.seq < event.from || isPrompt(m)
        ),
      };
    case "compacted":
      return {
        ...next,
        contextTokens: 0,
        messages: [
          ...state.messages.filter(isPrompt),
          summaryMessage(event),
          ...state.messages.filter((m) =>
            m.seq >= event.keepFrom && !isPrompt(m)
          ),
        ],
      };
    case "failed":
      return {
        ...next,
        errors: [...state.errors, failure(event)].slice(-MAX_ERRORS),
      };
    case "titled":
      return { ...next, title: firstLine(event.title, MAX_TITLE) };
    case "restored":
      return { ...event.state, seq: event.seq };
    default:
      return next;
  }
}

// Of long arrays, concat() makes copies ten times as fast as spreading does.
function withMessage(
  state: SessionState,
  message: StoredMessage,
): SessionState {
  switch (message.role) {
    case "system":
      // There is one system prompt, the latest, and it stands first.
      return isPrompt(message)
        ? {
          ...state,
          messages: [message, ...state.messages.filter((m) => !isPrompt(m))],
        }
        : { ...state, messages: state.messages.concat(message) };
    case "user":
      return {
        ...state,
        open: state.open ?? message.seq,
        title: state.title || firstLine(contentText(message.content)),
        messages: state.messages.concat(message),
      };
    case "assistant":
      return {
        ...state,
        model: message.model ?? state.model,
        usage: message.usage ? add(state.usage, message.usage) : state.usage,
        contextTokens: message.usage
          ? message.usage.input + message.usage.output
          : state.contextTokens,
        messages: state.messages.concat(message),
      };
    default:
      return { ...state, messages: state.messages.concat(message) };
  }
}

/** Tells the system prompt from a summary and from the conversation. */
export function isPrompt(message: StoredMessage): boolean {
  return message.role === "system" && !message.summary;
}

function closed(state: SessionState): SessionState {
  const { open: _, ...rest } = state;
  return rest;
}

// It takes the place of what it summarises, so withdrawing the running turn keeps it.
function summaryMessage(
  event: SessionEvent & { type: "compacted" },
): StoredMessage {
  return {
    role: "system",
    id: `summary-${event.seq}`,
    content: event.summary,
    summary: true,
    seq: event.keepFrom - 1,
    at: event.at,
  };
}

function failure(event: SessionEvent & { type: "failed" }): StoredFailure {
  const { kind, turns, question, line, raw, prompt, at } = event;
  return {
    at,
    kind,
    turns,
    question,
    line,
    ...(raw !== undefined && { raw }),
    ...(prompt !== undefined && { prompt }),
  };
}

function add(a: Usage, b: Usage): Usage {
  const cached = (a.cached ?? 0) + (b.cached ?? 0);
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    ...(cached > 0 && { cached }),
  };
}
