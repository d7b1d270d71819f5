import {
  openRemoteAgent,
  type RemoteAgentOptions,
} from "../client/open_remote_agent.ts";
import type { RemoteAgent } from "../client/remote_agent.ts";
import { pinnedSocket } from "./pinned_socket.ts";

/** How a server is attached to from a program. */
export interface AttachOptions extends Omit<RemoteAgentOptions, "WebSocket"> {
  /** Certificates that are trusted by now, PEM; without them those of the system vouch. */
  readonly cert: () => string | undefined;
}

/** Connects to a server. Throws a UserError that says why it cannot. */
export async function attachToServer(
  { cert, ...options }: AttachOptions,
): Promise<RemoteAgent> {
  const pins = isSecure(options.url) && cert() !== undefined;
  return await openRemoteAgent({
    ...options,
    ...(pins && { WebSocket: pinnedSocket(() => cert() ?? "") }),
  });
}

function isSecure(url: string): boolean {
  return new URL(url).protocol === "https:";
}
