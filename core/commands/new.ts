import { defineCommand } from "../command.ts";

/** Opens a new conversation; the old one stays. */
export const newCommand = defineCommand({
  name: "new",
  summary: "Start a new conversation; this one is kept",
  run: (_args, host) => host.renew(),
});
