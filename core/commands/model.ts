import { defineCommand } from "../command.ts";
import { errorLine } from "../error.ts";
import { nearest } from "../nearest.ts";

/** Shows or changes the model. */
export const model = defineCommand({
  name: "model",
  summary: "Show the models, or use another one from now on",
  hint: "[name]",
  async complete(prefix, { session, signal }) {
    const names = await session.settings.model.models?.(signal) ?? [];
    return names.filter((n) => n.startsWith(prefix));
  },
  async run(args, host) {
    const { agent, session, signal } = host;
    const { model } = session.settings;
    if (!args) {
      const names = await listed(model.models?.(signal));
      host.say(`Model: \`${model.name}\`${names}`);
      return;
    }
    const names = await model.models?.(signal).catch(() => undefined);
    const near = names && !names.includes(args) && nearest(args, names);
    if (names && !names.includes(args)) {
      throw new Error(
        `Cannot find model "${args}" on the server: ${
          near ? `did you mean "${near}"?` : "see /model"
        }`,
      );
    }
    const next = await agent.useModel(args, session);
    host.say(`Model: \`${next.name}\` from now on.`);
  },
});

async function listed(names?: Promise<readonly string[]>): Promise<string> {
  if (!names) return "";
  try {
    const all = await names;
    return `\n\nOn the server:\n${all.map((n) => `- \`${n}\``).join("\n")}`;
  } catch (error) {
    return `\n\nCannot list the server's models: ${errorLine(error)}`;
  }
}
