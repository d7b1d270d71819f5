import { defineCommand } from "../command.ts";

/** Titles the conversation. */
export const rename = defineCommand({
  name: "rename",
  summary: "Give this conversation a title",
  hint: "<title>",
  async run(args, host) {
    const { session } = host;
    if (!args) throw new Error("Cannot rename: give a title, /rename <title>");
    if (session.state.messages.length === 0) {
      throw new Error("Cannot rename: this conversation has no question yet");
    }
    await session.rename(args);
    host.say(`Renamed to "${session.state.title}".`);
  },
});
