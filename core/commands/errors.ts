import { defineCommand } from "../command.ts";

/** Shows the trace of what failed. */
export const errors = defineCommand({
  name: "errors",
  summary: "Show what went wrong in this conversation",
  run(_args, host) {
    const { errors } = host.session.state;
    const entries = errors.map((e) => {
      const raw = e.raw ? `\n${fence(e.raw.slice(0, 2000))}` : "";
      const asked = e.question ? ` (asked: ${e.question})` : "";
      return `- ${
        e.at.slice(0, 19).replace("T", " ")
      } UTC ${e.kind}: ${e.line}${asked}${raw}`;
    });
    host.say(entries.join("\n") || "No errors in this conversation.");
  },
});

// A fence longer than any run of backticks inside.
function fence(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const ticks = "`".repeat(Math.max(3, ...runs.map((r) => r.length + 1)));
  return `${ticks}\n${text}\n${ticks}`;
}
