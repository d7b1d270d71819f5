import { type CommandHost, defineCommand } from "../command.ts";
import { summaryLine } from "../summary_line.ts";
import { openSession } from "./resume.ts";

/** Lists the conversations of the project; on a TTY, a browser. */
export const sessions = defineCommand({
  name: "sessions",
  summary: "List earlier conversations",
  hint: "[text]",
  async run(args, host) {
    if (!host.browse || !host.show) return await table(args, host);
    const id = await host.browse(args);
    if (id !== undefined) await openSession(id, host);
  },
});

async function table(text: string, host: CommandHost): Promise<void> {
  const page = await host.agent.list({ limit: 50, ...(text && { text }) });
  const now = new Date();
  let n = 0;
  const lines = page.items.map((s) => {
    const current = s.id === host.session.id;
    // `/resume n` counts the whole list: a part of it has no numbers.
    const place = current ? "(this) " : text ? "" : `${++n} `;
    return `- ${place}\`${s.id}\` ${summaryLine(s, now)}`;
  });
  if (page.next) lines.push("- … more: narrow the list with /sessions <text>");
  host.say(
    lines.join("\n") ||
      (text ? `No conversation matches "${text}".` : "No conversation yet."),
  );
}
