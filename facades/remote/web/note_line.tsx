import type { Note } from "../client/view.ts";
import { MarkdownText } from "./markdown_text.tsx";
import { isSaid } from "./said.ts";
import { clean } from "./text.ts";

/** A line beside the conversation, or what a command said. */
export function NoteLine({ note }: { readonly note: Note }) {
  if (isSaid(note)) {
    return (
      <div class="said">
        <MarkdownText text={note.text} />
      </div>
    );
  }
  return (
    <p class={`note ${note.level}`} dir="auto">
      {note.level === "error" && <span class="visually-hidden">Error:</span>}
      {clean(note.text)}
    </p>
  );
}
