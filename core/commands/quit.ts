import { defineCommand } from "../command.ts";

/** Leaves the facade. */
export const quit = defineCommand({
  name: "quit",
  summary: "Leave; the conversation is kept",
  run(_args, host) {
    if (!host.quit) {
      throw new Error("Cannot quit from here: close the conversation instead");
    }
    host.quit();
  },
});
