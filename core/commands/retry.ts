import { defineCommand } from "../command.ts";

/** Asks the last failed question again. */
export const retry = defineCommand({
  name: "retry",
  summary: "Ask the last failed question again",
  async run(_args, host) {
    const failed = host.session.state.errors.some((e) =>
      e.kind === "generation"
    );
    if (!failed) throw new Error("Nothing to retry: no question failed here");
    const work = async (signal: AbortSignal) => {
      await host.session.retry(signal, host.messageId);
    };
    await (host.ask ? host.ask(work) : work(host.signal));
  },
});
