import type { StoredFailure } from "../../../core/fold.ts";
import type { View } from "../client/view.ts";
import { oneLine } from "./text.ts";

/**
 * The newest question, when it failed and nothing came after it: a question
 * that no answer began to is not in the conversation any more. Undefined while
 * the red line that was told live still says so.
 */
export function unanswered(view: View): StoredFailure | undefined {
  const { state: { errors, messages }, running, notes } = view;
  const failure = errors.at(-1);
  if (!failure || failure.kind !== "generation" || running) return undefined;
  const last = messages.at(-1);
  if (last && last.at > failure.at) return undefined;
  const told = notes.some(({ level, text, after }) =>
    level === "error" && text === failure.line && after >= (last?.seq ?? 0)
  );
  return told ? undefined : failure;
}

/** A red line, the question it is about, and the way to ask it again. */
export function Unanswered({ failure: { line, question }, retry }: {
  readonly failure: StoredFailure;
  readonly retry: () => void;
}) {
  return (
    <div class="note error unanswered">
      <p>{oneLine(line)}</p>
      {question && <blockquote dir="auto">{oneLine(question)}</blockquote>}
      <button type="button" onClick={retry}>Ask again</button>
    </div>
  );
}
