import { defineCommand, offered } from "../command.ts";

/** Shows the list it is part of, and the keys where there are some. */
export const help = defineCommand({
  name: "help",
  summary: "List the commands",
  run(_args, host) {
    const lines = offered(host)
      .map((c) =>
        `- \`/${c.name}${c.hint ? ` ${c.hint}` : ""}\`: ${c.summary}`
      );
    host.say([lines.join("\n"), ...host.keys ? [host.keys] : []].join("\n\n"));
  },
});
