import {
  openRemoteAgent,
  type RemoteAgentOptions,
} from "../client/open_remote_agent.ts";
import { plainSocket } from "../client/connection.ts";
import type { RemoteAgent } from "../client/remote_agent.ts";
import { PinnedSocket } from "./pinned_socket.ts";

/** How a server is attached to from a program. */
export interface AttachOptions
  extends Omit<RemoteAgentOptions, "socket" | "pinned"> {
  /** Certificates that are trusted by now, PEM; without them those of the system vouch. */
  readonly cert: () => string | undefined;
}

/** Connects to a server. Throws a UserError that says why it cannot. */
export async function attachToServer(
  { cert, ...options }: AttachOptions,
): Promise<RemoteAgent> {
  return await openRemoteAgent({
    ...options,
    pinned: cert() !== undefined,
    // A server that was started anew may have another certificate, or none.
    socket(url, protocols) {
      const pem = url.startsWith("wss:") ? cert() : undefined;
      if (pem === undefined) return plainSocket(url, protocols);
      return new PinnedSocket(url, protocols, pem);
    },
  });
}
