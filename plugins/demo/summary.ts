import { contentText, firstLine, type Message } from "../../core/message.ts";

// A conversation of any length gets a summary of at most this many lines.
const MAX_LINES = 40;

/** A short, honest summary of the messages before `end`: who asked and did what. */
export function summarise(messages: readonly Message[], end: number): string {
  const lines = messages.slice(0, end).flatMap(line);
  const shown = lines.length > MAX_LINES
    ? [
      `- (${lines.length - MAX_LINES} earlier steps)`,
      ...lines.slice(-MAX_LINES),
    ]
    : lines;
  // Compaction may put the whole transcript into the question itself.
  const told = shown.length > 0
    ? shown
    : transcript(contentText(messages[end]?.content ?? ""));
  return ["Summary of the conversation so far:", ...told].join("\n");
}

function line(message: Message): string[] {
  switch (message.role) {
    case "system":
      return message.summary
        ? [`- Earlier: ${firstLine(message.content, 300)}`]
        : [];
    case "user":
      return [
        `- The user asked: ${firstLine(contentText(message.content), 120)}`,
      ];
    case "assistant":
      return message.content.trim()
        ? [`- Answered: ${firstLine(message.content, 120)}`]
        : [];
    case "tool":
      return [
        `- Used ${message.name} (${message.status}): ${
          firstLine(message.content, 80)
        }`,
      ];
  }
}

// One line for each step: what a step says after its first line is detail.
function transcript(text: string): string[] {
  const [, body = text] = /<transcript>([\s\S]*)<\/transcript>/.exec(text) ??
    [];
  const steps = body.split(/\n(?=User: |Assistant: |Result of |Summary of )/)
    .map((step) => step.trim()).filter((step) => step !== "");
  return steps.slice(-MAX_LINES).map((step) => `- ${firstLine(step, 120)}`);
}
