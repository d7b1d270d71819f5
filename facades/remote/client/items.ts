import { replay, type ReplayItem } from "../../../core/replay.ts";
import type { SessionState } from "../../../core/fold.ts";
import type { StoredMessage, ToolMessage } from "../../../core/message.ts";
import type { Note, Pending, Question, RunningTool, View } from "./view.ts";

/**
 * One thing on a screen. `key` is stable: what is being written and what is
 * then recorded have the same. An item that did not change is the same object.
 */
export type Item =
  & { readonly key: string }
  & (
    | (ReplayItem & { readonly writing?: true })
    | Readonly<{ type: "running_tool"; tool: RunningTool; question?: Question }>
    | Readonly<{ type: "approval"; question: Question }>
    | Readonly<{ type: "note"; note: Note }>
    | Readonly<{ type: "pending"; pending: Pending }>
  );

/**
 * What a screen shows of a session, in order: the conversation as `replay`
 * gives it, with running tools and notes in their places, then the answer that
 * is being written, and what is on its way last.
 */
export function items(view: View): readonly Item[] {
  const known = made.get(view);
  if (known) return known;
  const all = [...everything(view)];
  made.set(view, all);
  return all;
}

const made = new WeakMap<View, readonly Item[]>();

function* everything(view: View): Generator<Item> {
  const { state, notes, tools, approvals, partial, pending } = view;
  if (state.truncated) yield OMITTED;
  const running = new Map(tools.map((t) => [t.call.id, t]));
  const questions = new Map(approvals.map((q) => [q.request.call.id, q]));
  const index = indexOf(state);
  let told = 0;
  for (const message of state.messages) {
    while ((notes[told]?.after ?? Infinity) < message.seq) {
      yield noteItem(notes, told++);
    }
    yield* itemsOf(message, state, index);
    // A call of the running turn stands where its result will.
    for (const call of unanswered(message, index)) {
      const tool = running.get(call);
      if (tool) yield toolItem(tool, questions.get(call));
      if (running.delete(call)) questions.delete(call);
    }
  }
  for (; told < notes.length; told++) yield noteItem(notes, told);
  for (const [call, tool] of running) {
    yield toolItem(tool, questions.get(call));
    questions.delete(call);
  }
  for (const question of questions.values()) {
    if (!question.decision) yield approvalItem(question);
  }
  if (partial?.thought) yield writing("thought", partial);
  if (partial?.text) yield writing("assistant", partial);
  for (const one of pending) yield pendingItem(one);
}

const OMITTED: Item = { key: "omitted", type: "omitted" };

/** What is known of the calls of a conversation. */
interface Index {
  readonly calls: ReadonlySet<string>;
  readonly results: ReadonlyMap<string, ToolMessage & StoredMessage>;
}

const indexes = new WeakMap<readonly StoredMessage[], Index>();

function indexOf({ messages }: SessionState): Index {
  const known = indexes.get(messages);
  if (known) return known;
  const calls = new Set<string>();
  const results = new Map<string, ToolMessage & StoredMessage>();
  for (const message of messages) {
    if (message.role === "tool") results.set(message.toolCallId, message);
    if (message.role !== "assistant") continue;
    for (const { id } of message.toolCalls ?? []) calls.add(id);
  }
  const index = { calls, results };
  indexes.set(messages, index);
  return index;
}

function unanswered(message: StoredMessage, { results }: Index): string[] {
  if (message.role !== "assistant" || !message.toolCalls) return [];
  return message.toolCalls.map((c) => c.id).filter((id) => !results.has(id));
}

interface Made {
  /** What the items were made of besides the message. */
  readonly open: boolean;
  readonly results: readonly StoredMessage[];
  readonly items: readonly Item[];
}

const madeOf = new WeakMap<StoredMessage, Made>();

/** The items of one message: what core's `replay` makes of it and its results. */
function itemsOf(
  message: StoredMessage,
  state: SessionState,
  { calls, results: all }: Index,
): readonly Item[] {
  if (message.role === "tool" && calls.has(message.toolCallId)) return [];
  const open = state.open !== undefined && message.seq > state.open;
  const results = message.role === "assistant" && message.toolCalls
    ? message.toolCalls.flatMap(({ id }) => all.get(id) ?? [])
    : [];
  const known = madeOf.get(message);
  if (
    known?.open === open && known.results.length === results.length &&
    known.results.every((result, i) => result === results[i])
  ) return known.items;
  const alone = { ...state, truncated: false, messages: [message, ...results] };
  const items = [...replay(alone)].map(keyed);
  madeOf.set(message, { open, results, items });
  return items;
}

function keyed(item: ReplayItem): Item {
  switch (item.type) {
    case "omitted":
      return { ...item, key: "omitted" };
    case "tool":
      return { ...item, key: `tool-${item.call.id}` };
    default:
      return { ...item, key: `${item.type}-${item.id}` };
  }
}

function writing(
  type: "thought" | "assistant",
  { messageId: id, text, thought }: NonNullable<View["partial"]>,
): Item {
  const said = type === "thought" ? thought : text;
  return { key: `${type}-${id}`, type, id, text: said, writing: true };
}

const tools = new WeakMap<RunningTool, Item & { type: "running_tool" }>();

function toolItem(tool: RunningTool, question: Question | undefined): Item {
  const known = tools.get(tool);
  if (known && known.question === question) return known;
  const item = {
    key: `tool-${tool.call.id}`,
    type: "running_tool",
    tool,
    ...(question && { question }),
  } as const;
  tools.set(tool, item);
  return item;
}

const approvals = new WeakMap<Question, Item>();

function approvalItem(question: Question): Item {
  return once(approvals, question, {
    key: `tool-${question.request.call.id}`,
    type: "approval",
    question,
  });
}

const notices = new WeakMap<Note, Item>();

function noteItem(notes: readonly Note[], at: number): Item {
  const note = notes[at] as Note;
  // The oldest notes are dropped, so their places in the list are no keys.
  let nth = 0;
  while (notes[at - nth - 1]?.after === note.after) nth++;
  return once(notices, note, {
    key: `note-${note.after}-${nth}`,
    type: "note",
    note,
  });
}

const bubbles = new WeakMap<Pending, Item>();

function pendingItem(pending: Pending): Item {
  return once(bubbles, pending, {
    key: `user-${pending.id}`,
    type: "pending",
    pending,
  });
}

function once<T extends object>(
  known: WeakMap<T, Item>,
  of: T,
  item: Item,
): Item {
  const made = known.get(of);
  if (made) return made;
  known.set(of, item);
  return item;
}
