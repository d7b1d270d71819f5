import type { Update } from "../../../core/event.ts";
import { updateNote } from "../../../core/update_note.ts";
import type { Note } from "./view.ts";

/** Lines that are kept beside a conversation. */
const MAX_NOTES = 200;

/** The lines beside a conversation, as it goes on. Replays bring none. */
export class Notes {
  #withdrawn = false; // the running turn, and no failure has said why

  /** `notes` with what `update` adds to them, behind the event `after`. */
  add(notes: readonly Note[], update: Update, after: number): readonly Note[] {
    const note = this.#note(update);
    return note ? [...notes, { after, ...note }].slice(-MAX_NOTES) : notes;
  }

  /** What was heard of the running turn is forgotten: a replay tells it anew. */
  reset(): void {
    this.#withdrawn = false;
  }

  #note(update: Update): Omit<Note, "after"> | undefined {
    switch (update.type) {
      case "withdrawn":
        this.#withdrawn = true;
        return undefined;
      case "failed":
        this.#withdrawn = false;
        return { level: "error", text: update.line };
      case "running": {
        const takenBack = this.#withdrawn && !update.running;
        this.#withdrawn = false;
        return takenBack ? { level: "info", text: TAKEN_BACK } : undefined;
      }
      default: {
        const text = updateNote(update);
        return text === undefined ? undefined : { level: level(update), text };
      }
    }
  }
}

/** What is told of a question that a cancel took back. */
export const TAKEN_BACK =
  "Cancelled before there was an answer: the question is not kept";

function level(update: Update): Note["level"] {
  if (update.type === "moved") return "warning";
  return update.type === "notice" ? update.level : "info";
}
