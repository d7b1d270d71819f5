import { defineCommand } from "../command.ts";

/** Replaces the old turns by a summary, by hand. */
export const compact = defineCommand({
  name: "compact",
  summary: "Replace the older turns by a summary",
  hint: "[focus]",
  async run(args, host) {
    const before = host.session.state.messages.length;
    let end = "cancelled";
    const work = async (signal: AbortSignal) => {
      end = await host.session.compact(args || undefined, signal);
    };
    await (host.ask ? host.ask(work) : work(host.signal));
    const after = host.session.state.messages.length;
    // A failure shows itself: it is recorded, and facades print what is recorded.
    if (end === "compacted") {
      host.say(`Compacted: ${before} messages became ${after}.`);
    }
    if (end === "nothing") {
      host.say("Nothing to compact: there is no older turn yet.");
    }
  },
});
