import { defineCommand } from "../command.ts";

/** Shows the list it is part of. */
export const help = defineCommand({
  name: "help",
  summary: "List the commands",
  run(_args, host) {
    const lines = host.agent.commands
      .filter((c) => available(c.name, host))
      .map((c) => `- \`/${c.name}${c.hint ? ` ${c.hint}` : ""}\` ${c.summary}`);
    host.say(lines.join("\n"));
  },
});

// What a facade cannot do is not offered there.
function available(name: string, host: { quit?: unknown; show?: unknown }) {
  if (name === "quit") return host.quit !== undefined;
  if (name === "resume") return host.show !== undefined;
  return true;
}
