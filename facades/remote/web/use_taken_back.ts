import { useEffect, useRef } from "preact/hooks";
import type { SessionState } from "../../../core/fold.ts";
import { contentText } from "../../../core/message.ts";
import type { Happenings } from "./happenings.ts";

/** Questions that are remembered. */
const MAX_SENT = 20;

/**
 * Gives a question back to whoever asked it here, when it was cancelled before
 * there was an answer: the conversation does not keep it. Returns what is to be
 * told of each question that is sent.
 */
export function useTakenBack(
  happenings: Happenings,
  giveBack: (text: string) => void,
): (text: string) => void {
  const sent = useRef<readonly string[]>([]);
  const back = useRef(giveBack);
  back.current = giveBack;
  useEffect(() => {
    let withdrawn: readonly string[] = [];
    return happenings.listen(({ updates, before }) => {
      for (const update of updates) {
        if (update.type === "withdrawn") {
          withdrawn = questions(before.state, update.from)
            .filter((text) => sent.current.includes(text));
        } else if (update.type === "failed") {
          withdrawn = []; // the failure holds it
        } else if (update.type === "running" && !update.running) {
          if (withdrawn.length > 0) back.current(withdrawn.join("\n\n"));
          withdrawn = [];
        }
      }
    });
  }, [happenings]);
  return (text) => {
    sent.current = [...sent.current, text.trim()].slice(-MAX_SENT);
  };
}

function questions({ messages }: SessionState, from: number): string[] {
  return messages.flatMap((m) =>
    m.role === "user" && m.seq >= from ? [contentText(m.content)] : []
  );
}
