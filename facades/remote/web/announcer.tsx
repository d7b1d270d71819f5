import { useEffect, useState } from "preact/hooks";
import type { Update } from "../../../core/event.ts";
import type { Happenings } from "./happenings.ts";
import { clean, oneLine } from "./text.ts";

/** Longest text that is read aloud by itself, in UTF-16 units. */
const MAX_TEXT = 1000;

/** Tells a screen reader what is done and what is asked, and not each word as it comes. */
export function Announcer({ happenings }: { readonly happenings: Happenings }) {
  const [text, setText] = useState("");
  useEffect(() =>
    happenings.listen(({ updates }) => {
      for (const update of updates) {
        const words = announcement(update);
        if (words !== undefined) setText(words.slice(0, MAX_TEXT));
      }
    }), [happenings]);
  return <div class="visually-hidden" aria-live="polite">{text}</div>;
}

function announcement(update: Update): string | undefined {
  switch (update.type) {
    case "message": {
      const { message } = update;
      return message.role === "assistant" && message.content
        ? clean(message.content)
        : undefined;
    }
    case "approval_asked":
      return `Approval needed: ${oneLine(update.request.title)}`;
    case "failed":
      return `Error: ${oneLine(update.line)}`;
    default:
      return undefined;
  }
}
