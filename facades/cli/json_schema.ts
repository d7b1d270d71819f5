import { toJSONSchema } from "zod/v4/core";
import { ConfigSchema } from "../../core/config.ts";
import type { Plugin } from "../../core/plugin.ts";
import { plugins } from "../../plugins/table.ts";
import { CONFIG_KEYS } from "./config_keys.ts";

/** The JSON Schema of agent.yaml, with the options of each built-in plugin under its `use`. */
export async function configJsonSchema(): Promise<JsonSchema> {
  const all = await Promise.all(Object.values(plugins).map((load) => load()));
  const uses = (kind: Plugin["kind"]) => ({
    anyOf: [
      ...all.filter((p) => p.kind === kind).flatMap(useSchemas),
      ...FROM_OUTSIDE,
    ],
  });
  const schema = toJSONSchema(ConfigSchema, { io: "input" }) as JsonSchema;
  for (const [path, description] of Object.entries(CONFIG_KEYS)) {
    const part = partOf(schema, path);
    Object.assign(part, { description });
  }
  replaceUse(schema, "model", uses("model"));
  replaceUse(schema, "sessions.store", uses("store"));
  const compactors = all.filter((p) => p.kind === "compactor").map((p) =>
    p.name
  );
  Object.assign(partOf(schema, "compaction.use"), {
    enum: ["summary", ...compactors],
  });
  Object.assign(partOf(schema, "plugins"), { items: uses("plugin") });
  Object.assign(
    partOf(schema, "mcp"),
    ...all.filter((p) => p.name === "mcp").map(optionsSchema),
  );
  return { ...schema, title: "agent.yaml of mm" };
}

/** As much of a JSON Schema as is touched here. */
export interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  [key: string]: unknown;
}

function partOf(schema: JsonSchema, path: string): JsonSchema {
  return path.split(".").reduce((here: JsonSchema, key) => {
    const next = here.properties?.[key];
    if (next) return next;
    throw new RangeError(`Cannot find "${path}" in the schema of agent.yaml`);
  }, schema);
}

function replaceUse(schema: JsonSchema, path: string, uses: JsonSchema): void {
  const here = partOf(schema, path);
  delete here.anyOf;
  Object.assign(here, uses);
}

// Their options are known only once they are trusted and imported.
const OUTSIDE = { type: "string", pattern: "^(\\.{0,2}/|npm:)|\\.m?js$" };

const FROM_OUTSIDE: readonly JsonSchema[] = [OUTSIDE, {
  type: "object",
  properties: { use: OUTSIDE },
  required: ["use"],
}];

// By name alone only where no option is required.
function useSchemas(plugin: Plugin): JsonSchema[] {
  const { name } = plugin;
  const { properties, required = [], ...rest } = optionsSchema(plugin);
  const whole: JsonSchema = {
    type: "object",
    ...rest,
    properties: { use: { const: name }, ...properties },
    required: ["use", ...required],
  };
  return required.length === 0 ? [{ const: name }, whole] : [whole];
}

function optionsSchema(
  { options }: Plugin,
): JsonSchema & { required?: string[] } {
  const { $schema: _, ...schema } = toJSONSchema(options, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  return schema;
}
