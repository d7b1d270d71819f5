import type { Update } from "./event.ts";

/** What an update has to say besides the conversation itself; undefined when nothing. */
export function updateNote(update: Update): string | undefined {
  switch (update.type) {
    case "notice":
      return update.text;
    case "moved":
      return `Another process changed session ${update.from}: this conversation continues as ${update.to}`;
    case "settled":
      if (update.reason === "cancelled") return "Cancelled";
      if (update.reason === "max_tokens") {
        return "The answer was cut: the model reached its output limit (maxOutput)";
      }
      return update.reason === "refusal"
        ? "The model refused to answer"
        : undefined;
    default:
      return undefined;
  }
}
