import { EXIT } from "./exit.ts";
import { configJsonSchema } from "./json_schema.ts";
import { printJson } from "./output.ts";

/** `mm schema`: the JSON Schema of agent.yaml. */
export async function schema(): Promise<number> {
  await printJson(await configJsonSchema());
  return EXIT.ok;
}
