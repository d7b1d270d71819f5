import { createHash } from "node:crypto";

/** What the APIs of models take as the name of a tool. */
const MAX = 64;

/**
 * The name a server's tool has for the model: `mcp__server__tool`. A name that
 * does not fit is cut and ends in a hash, so that two tools never share one.
 */
export function toolName(server: string, tool: string): string {
  const name = `mcp__${server}__${tool}`;
  // Only such a server name leaves no doubt where it ends.
  const clear = /^[a-zA-Z0-9-]+(_[a-zA-Z0-9-]+)*$/.test(server);
  if (clear && /^[a-zA-Z0-9_-]+$/.test(tool) && name.length <= MAX) {
    return name;
  }
  const hash = createHash("sha256").update(JSON.stringify([server, tool]))
    .digest("hex").slice(0, 10);
  const short = `mcp__${safe(server, 20)}__${safe(tool, 26)}`;
  return `${short}_${hash}`;
}

function safe(text: string, max: number): string {
  return text.replaceAll(/[^a-zA-Z0-9-]+/g, "_").slice(0, max);
}
