import { looseObject } from "zod/mini";
import { defineTool, type Tool, type ToolContext } from "../../core/tool.ts";
import type { ToolResult } from "../../core/tool.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Offer } from "./listing.ts";
import { toolName } from "./names.ts";
import { plain } from "./plain.ts";

/** Calls the tool `name` of a running server. */
export type CallTool = (
  name: string,
  input: JsonObject,
  context: ToolContext,
) => Promise<ToolResult>;

/**
 * A server's tool as one of the agent's. It is asked for whatever the server
 * says of it, since a server is not to be trusted about its own harmlessness.
 */
export function mcpTool(server: string, offer: Offer, call: CallTool): Tool {
  const title = `${plain(server, 40)}: ${plain(offer.name, 60)}`;
  return defineTool({
    name: toolName(server, offer.name),
    description: offer.description,
    kind: "other",
    input: looseObject({}), // the server checks it
    parameters: offer.schema,
    plan: (input) => ({
      title: `${title}${shownInput(input)}`,
      access: "ask",
      reason: `calls the MCP server "${plain(server, 40)}"`,
      scope: title,
    }),
    run: (input, context) => call(offer.name, input, context),
  });
}

function shownInput(input: JsonObject): string {
  const text = JSON.stringify(input);
  return text === "{}" ? "" : ` ${plain(text, 100)}`;
}
