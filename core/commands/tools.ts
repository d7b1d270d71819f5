import { defineCommand } from "../command.ts";

/** Lists what the model may call. */
export const tools = defineCommand({
  name: "tools",
  summary: "List the tools the model may use",
  run(_args, { agent, session, say }) {
    const lines = agent.tools.map((t) =>
      `- \`${t.name}\` (${t.kind}) ${t.description.split("\n")[0]}`
    );
    say(
      `${
        lines.join("\n") || "No tools."
      }\n\nApprovals: ${session.settings.mode}`,
    );
  },
});
