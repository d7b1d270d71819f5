import { MarkdownText } from "./markdown_text.tsx";
import { memo } from "./memo.ts";
import { useState } from "preact/hooks";

/** Text that is opened on demand: thoughts, summaries. It is drawn only then. */
export const Folded = memo((
  { name, text, label }: {
    readonly name: "thought" | "summary";
    readonly text: string;
    readonly label: string;
  },
) => {
  const [open, setOpen] = useState(false);
  return (
    <details
      class={`folded ${name}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{label}</summary>
      {open && <MarkdownText text={text} />}
    </details>
  );
});
