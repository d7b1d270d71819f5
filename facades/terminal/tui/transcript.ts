import type { Update } from "../../../core/event.ts";
import {
  contentText,
  type Message,
  type ToolCall,
  type ToolMessage,
} from "../../../core/message.ts";
import type { ReplayItem } from "../../../core/replay.ts";
import { updateNote } from "../../../core/update_note.ts";
import { oneLine, sanitize, Sanitizer } from "../sanitize.ts";
import { CANCELLED, TAKEN_BACK } from "../words.ts";
import type { Block, Card, NewBlock } from "./block.ts";
import { Stream } from "./stream.ts";

/** What the screen keeps of the output of a running tool, in UTF-16 units. */
const MAX_TAIL = 8_000;

/**
 * Turns what happens and what is replayed into the same blocks: this is the
 * one place that decides what a conversation looks like.
 */
export class Transcript {
  readonly blocks: Block[] = [];
  readonly #cards = new Map<string, Block & Card>();
  readonly #cleaners = new Map<string, Sanitizer>();
  #answer: Stream | undefined;
  #withdrawn = false; // the running turn, and no failure has said why

  /** Shows a record again. */
  replay(item: ReplayItem): void {
    switch (item.type) {
      case "omitted":
        return this.note("Earlier messages omitted");
      case "summary":
        return this.#done({ type: "summary", text: sanitize(item.text) });
      case "user":
        return this.#user(contentText(item.content));
      case "thought":
        return this.#stream(item.id).thought(item.text);
      case "assistant":
        this.#stream(item.id).text(item.text);
        this.#endAnswer();
        if (item.cancelled) this.note(CANCELLED);
        return;
      case "tool":
        this.#endAnswer();
        return this.#finish(item.result, item.call);
    }
  }

  /** Shows what happens. */
  update(update: Update): void {
    switch (update.type) {
      case "text":
        return this.#stream(update.messageId).text(update.text);
      case "thought":
        return this.#stream(update.messageId).thought(update.text);
      case "message":
        return this.#message(update.message);
      case "tool_started":
        return this.#start(update);
      case "tool_running":
        return this.#running(update.toolCallId);
      case "tool_output":
        return this.#output(update.toolCallId, update.text);
      case "withdrawn":
        this.#withdrawn = true;
        return this.#endAnswer();
      case "failed":
        this.#withdrawn = false;
        this.#endAnswer();
        return this.fail(update.line);
      case "running":
        if (this.#withdrawn && !update.running) this.note(TAKEN_BACK);
        this.#withdrawn = false;
        return;
      default: {
        if (update.type === "settled") this.#endAnswer();
        const text = updateNote(update);
        if (text !== undefined) this.note(text, isWarning(update));
      }
    }
  }

  /** A command the user gave; it is no part of the conversation. */
  command(text: string): void {
    this.#done({ type: "note", text: `› ${sanitize(text)}`, warning: false });
  }

  /** A command's answer, Markdown. */
  say(markdown: string): void {
    this.#done({ type: "said", text: sanitize(markdown) });
  }

  /** A red line, as it is. */
  fail(line: string): void {
    this.#done({ type: "error", text: sanitize(line) });
  }

  /** A line beside the conversation. */
  note(text: string, warning = false): void {
    this.#done({ type: "note", text: sanitize(text), warning });
  }

  #message(message: Message): void {
    switch (message.role) {
      case "user":
        return this.#user(contentText(message.content));
      case "assistant": {
        // A model that streams nothing still answers.
        const answer = this.#stream(message.id);
        if (answer.isEmpty) {
          if (message.thought) answer.thought(message.thought);
          answer.text(message.content);
        }
        return this.#endAnswer();
      }
      case "tool":
        return this.#finish(message);
    }
  }

  #user(text: string): void {
    this.#done({ type: "user", text: sanitize(text).trim() });
  }

  #stream(id: string): Stream {
    if (this.#answer?.id !== id) {
      this.#endAnswer();
      this.#answer = new Stream(id, (block) => this.#add(block));
    }
    return this.#answer;
  }

  #endAnswer(): void {
    this.#answer?.end();
    this.#answer = undefined;
  }

  #start(update: Update & { type: "tool_started" }): void {
    const { call, title, kind, diffs } = update;
    const card = this.#card(call);
    Object.assign(card, { title: oneLine(title), kind });
    if (diffs) card.diffs = diffs;
    card.revision++;
  }

  #card(call: ToolCall): Block & Card {
    const known = this.#cards.get(call.id);
    if (known) return known;
    const card = this.#add({
      type: "tool",
      call,
      title: oneLine(call.name),
      kind: "other",
      diffs: [],
      status: "waiting",
      output: "",
      denied: false,
    }) as Block & Card;
    this.#cards.set(call.id, card);
    return card;
  }

  #running(id: string): void {
    const card = this.#cards.get(id);
    if (!card) return;
    card.status = "running";
    card.revision++;
  }

  #output(id: string, text: string): void {
    const card = this.#cards.get(id);
    if (!card) return;
    const cleaner = this.#cleaners.get(id) ?? new Sanitizer();
    this.#cleaners.set(id, cleaner);
    card.output = (card.output + cleaner.push(text)).slice(-MAX_TAIL);
    card.revision++;
  }

  #finish(result: ToolMessage, call?: ToolCall): void {
    const { toolCallId: id, name, title = name, kind, diffs } = result;
    const card = this.#card(call ?? { id, name, arguments: {} });
    card.title = oneLine(title);
    card.kind = kind ?? "other";
    card.diffs = diffs ?? [];
    card.status = result.status;
    card.output = sanitize(result.content);
    card.denied = result.approval === "denied";
    card.done = true;
    card.revision++;
    this.#cards.delete(id);
    this.#cleaners.delete(id);
  }

  #done(block: NewBlock): void {
    this.#add(block).done = true;
  }

  #add(block: NewBlock): Block {
    const added = { ...block, done: false, revision: 0 } as Block;
    this.blocks.push(added);
    return added;
  }
}

function isWarning(update: Update): boolean {
  return update.type === "moved" ||
    update.type === "notice" && update.level === "warning";
}
