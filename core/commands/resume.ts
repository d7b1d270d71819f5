import { type CommandHost, defineCommand } from "../command.ts";
import { errorLine, errorRaw, UserError } from "../error.ts";
import { findSession } from "../find.ts";
import { errorsMark } from "../summary_line.ts";

/** Goes back to an earlier conversation. */
export const resume = defineCommand({
  name: "resume",
  summary: "Go back to an earlier conversation",
  hint: "[n|id|text]",
  async complete(prefix, { agent }) {
    const { items } = await agent.list({ limit: 50 });
    return items.map((s) => s.id).filter((id) => id.startsWith(prefix));
  },
  async run(args, host) {
    const id = await findSession(host.agent, args || "1", host.session.id);
    await openSession(id, host);
  },
});

/** Shows session `id`; what keeps it from loading is recorded where the user is. */
export async function openSession(
  id: string,
  host: CommandHost,
): Promise<void> {
  if (!host.show) {
    throw new UserError(
      "Cannot resume from here: open the conversation from the session list of this program",
    );
  }
  if (id === host.session.id) {
    host.say("This is the conversation you are in.");
    return;
  }
  try {
    const session = await host.agent.session(id);
    if (!session) throw new Error("there is no such session");
    await host.show(session);
    const { title, turns, errors } = session.state;
    host.say(
      `Resumed "${title}" · ${turns} ${turns === 1 ? "turn" : "turns"}${
        errorsMark(errors.length)
      }`,
    );
  } catch (error) {
    const raw = errorRaw(error);
    await host.session.fail({
      kind: "resume",
      question: "",
      line: `Cannot resume session ${id}: ${errorLine(error)}`,
      ...(raw !== undefined && { raw }),
    });
  }
}
