import type { Update } from "../../core/event.ts";
import {
  contentText,
  firstLine,
  type Message,
  type ToolMessage,
} from "../../core/message.ts";
import type { ReplayItem } from "../../core/replay.ts";
import { updateNote } from "../../core/update_note.ts";
import type { Output } from "./output.ts";
import type { Printer } from "./printer.ts";
import { oneLine, sanitize, Sanitizer } from "./sanitize.ts";
import { CANCELLED } from "./words.ts";

/** Answers to stdout as they come, all else to stderr, one line each. */
export class PlainPrinter implements Printer {
  readonly #out: Output;
  readonly #err: Output;
  readonly #quiet: boolean;
  readonly #color: boolean;
  #answer: { id: string; clean: Sanitizer; lineOpen: boolean } | undefined;
  #started = new Set<string>(); // tool calls whose line was printed

  constructor(
    { out, err }: { readonly out: Output; readonly err: Output },
    options: { readonly quiet: boolean; readonly color: boolean },
  ) {
    this.#out = out;
    this.#err = err;
    this.#quiet = options.quiet;
    this.#color = options.color;
  }

  shows(): void {}

  update(update: Update): void {
    switch (update.type) {
      case "text":
        return this.#text(update.messageId, update.text);
      case "message":
        return this.#message(update.message);
      case "tool_started":
        return this.#toolStarted(update.call.id, update.title);
      case "approval_asked":
        // Nobody is asked here, so somebody is elsewhere.
        return this.note(
          `? ${
            titleLine(update.request.title)
          }: waits for an answer on another screen`,
        );
      case "failed":
        return this.fail(update.line);
      case "withdrawn":
        return this.#endAnswer();
      case "moved":
        return this.#warn(updateNote(update) ?? "");
      default: {
        if (update.type === "settled") this.#endAnswer();
        const note = updateNote(update);
        if (note) this.note(note);
      }
    }
  }

  async replay(items: Iterable<ReplayItem>): Promise<void> {
    if (this.#quiet) return;
    for (const item of items) {
      this.#err.write(`${replayText(item)}\n`);
      await this.#err.room();
    }
  }

  say(markdown: string, kind: "answer" | "report"): void {
    if (kind === "report") return this.note(markdown);
    this.#endAnswer();
    this.#out.write(`${this.#safe(markdown)}\n`);
  }

  fail(line: string): void {
    this.#endAnswer();
    this.#warn(line, "31");
  }

  note(text: string): void {
    if (this.#quiet) return;
    this.#warn(text, "2");
  }

  #text(id: string, text: string): void {
    if (this.#answer?.id !== id) {
      this.#endAnswer();
      this.#answer = { id, clean: new Sanitizer(), lineOpen: false };
    }
    const answer = this.#answer;
    const safe = this.#out.isTerminal ? answer.clean.push(text) : text;
    if (!safe) return;
    answer.lineOpen = !safe.endsWith("\n");
    this.#out.write(safe);
  }

  #message(message: Message): void {
    if (message.role === "assistant") {
      // A model that streams nothing still answers.
      if (this.#answer?.id !== message.id) {
        this.#text(message.id, message.content);
      }
      this.#endAnswer();
    }
    if (message.role === "tool") this.#toolDone(message);
  }

  #endAnswer(): void {
    if (this.#answer?.lineOpen) this.#out.write("\n");
    this.#answer = undefined;
  }

  #toolStarted(id: string, title: string): void {
    if (this.#started.has(id)) return; // told again when its plan failed
    this.#started.add(id);
    this.note(`• ${titleLine(title)}`);
  }

  #toolDone(result: ToolMessage): void {
    this.#started.delete(result.toolCallId);
    if (result.status !== "completed") this.note(`  ${outcome(result)}`);
  }

  #warn(text: string, style = "33"): void {
    const safe = sanitize(text);
    this.#err.write(
      this.#color ? `\x1b[${style}m${safe}\x1b[0m\n` : `${safe}\n`,
    );
  }

  #safe(text: string): string {
    return this.#out.isTerminal ? sanitize(text) : text;
  }
}

// The model chose it, and may have chosen megabytes.
function titleLine(title: string): string {
  return firstLine(oneLine(title.slice(0, 2000)), 300);
}

function outcome({ status, content }: ToolMessage): string {
  return `${status}: ${oneLine(content).slice(0, 200)}`;
}

function replayText(item: ReplayItem): string {
  switch (item.type) {
    case "omitted":
      return "(earlier messages omitted)";
    case "summary":
      return `(summary of earlier turns)\n${sanitize(item.text)}`;
    case "user":
      return `> ${sanitize(contentText(item.content))}`;
    case "thought":
      return "(thought)";
    case "assistant":
      return sanitize(item.text) + (item.cancelled ? `\n${CANCELLED}` : "");
    case "tool": {
      const { result } = item;
      const title = titleLine(result.title ?? result.name);
      return result.status === "completed"
        ? `• ${title}`
        : `• ${title}\n  ${outcome(result)}`;
    }
  }
}
