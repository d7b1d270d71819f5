import type {
  SessionConfigOption,
  SessionModeState,
} from "@agentclientprotocol/sdk";

/** What a session lets the client choose, most important first. */
export function configOptions(
  modes: SessionModeState,
  model: string,
  models: readonly string[],
): SessionConfigOption[] {
  const names = models.includes(model) ? models : [model, ...models];
  return [
    {
      id: "mode",
      name: "Mode",
      description: "Who decides on tool calls",
      category: "mode",
      type: "select",
      currentValue: modes.currentModeId,
      options: modes.availableModes.map(({ id, name, description }) => ({
        value: id,
        name,
        ...(description && { description }),
      })),
    },
    {
      id: "model",
      name: "Model",
      category: "model",
      type: "select",
      currentValue: model,
      options: names.map((name) => ({ value: name, name })),
    },
  ];
}
