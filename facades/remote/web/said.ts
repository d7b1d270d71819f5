import type { Note, View } from "../client/view.ts";

const said = new WeakSet<Note>();

/** A line of this page alone: what a command said, Markdown. */
export function saidNote(
  view: View | undefined,
  text: string,
  level: Note["level"] = "info",
): Note {
  const note = { after: view?.state.seq ?? 0, level, text };
  said.add(note);
  return note;
}

/** Tells what a command said from what the session told. */
export function isSaid(note: Note): boolean {
  return said.has(note) && note.level !== "error";
}

/** A view with lines of this page among its own. */
export function withNotes(view: View, own: readonly Note[]): View {
  if (own.length === 0) return view;
  const notes = [...view.notes, ...own].sort((a, b) => a.after - b.after);
  return { ...view, notes };
}
