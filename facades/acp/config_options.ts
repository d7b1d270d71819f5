import type {
  SessionConfigOption,
  SessionModeState,
} from "@agentclientprotocol/sdk";
import type { Model } from "../../core/model.ts";

/** What a session lets the client choose, most important first. */
export function configOptions(
  modes: SessionModeState,
  { name: model, thought }: Pick<Model, "name" | "thought">,
  models: readonly string[],
): SessionConfigOption[] {
  const names = models.includes(model) ? models : [model, ...models];
  const options: SessionConfigOption[] = [
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
  if (!thought) return options;
  return [...options, {
    id: "thought_level",
    name: "Thinking",
    description: "How much the model thinks before it answers",
    category: "thought_level",
    type: "select",
    currentValue: thought.level,
    options: thought.levels.map((level) => ({ value: level, name: level })),
  }];
}
