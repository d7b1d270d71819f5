import { defineCommand } from "../command.ts";

/** Lists what the model may call. */
export const tools = defineCommand({
  name: "tools",
  summary: "List the tools the model may use",
  run(_args, host) {
    const { agent, session } = host;
    const lines = agent.tools.map((t) =>
      `- \`${t.name}\` (${t.kind}) ${t.description.split("\n")[0]}`
    );
    host.say(
      `${
        lines.join("\n") || "No tools."
      }\n\nApprovals: ${session.settings.mode}`,
    );
  },
});
