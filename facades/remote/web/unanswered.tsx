import type { StoredFailure } from "../../../core/fold.ts";
import { firstLine } from "../../../core/message.ts";
import type { View } from "../client/view.ts";
import { oneLine } from "./text.ts";

/**
 * The newest question, when it failed and nothing came after it: one that no
 * answer began to is not in the conversation any more.
 */
export function unanswered(
  { state: { errors, messages }, running }: View,
): StoredFailure | undefined {
  const failure = errors.at(-1);
  if (!failure || failure.kind !== "generation" || running) return undefined;
  const last = messages.at(-1);
  return last && last.at > failure.at ? undefined : failure;
}

/** The question that failed, why, and the way to ask it again. */
export function Unanswered({ failure: { line, question }, notes, retry }: {
  readonly failure: StoredFailure;
  /** The red line may stand there, as it was told live. */
  readonly notes: View["notes"];
  readonly retry: () => void;
}) {
  const told = notes.at(-1)?.text === line;
  return (
    <div class="note error unanswered">
      {!told && <p>{firstLine(oneLine(line), 400)}</p>}
      {question && <blockquote dir="auto">{oneLine(question)}</blockquote>}
      <button type="button" onClick={retry}>Ask again</button>
    </div>
  );
}
