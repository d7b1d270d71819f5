import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
import type { Launch } from "./launch.ts";
import { StdioTransport } from "./stdio.ts";

/** A way to a server. */
export interface Link {
  readonly transport: Transport;
  /** What is known of a failure beyond the error; empty when nothing is. */
  evidence(): string;
}

/** Makes the way to a server; nothing is started or asked yet. */
export async function openLink(launch: Launch): Promise<Link> {
  if (launch.type === "stdio") {
    const transport = new StdioTransport(launch);
    return { transport, evidence: () => transport.evidence };
  }
  // Only for those who need it: it brings half of an OAuth client along.
  const { webTransport } = await import("./web.ts");
  return { transport: webTransport(launch), evidence: () => "" };
}
