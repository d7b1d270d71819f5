import { errorLine, errorRaw, UserError } from "../../../core/error.ts";
import { RemoteClient } from "./client.ts";
import type { SocketMaker } from "./connection.ts";
import { RemoteAgent } from "./remote_agent.ts";

/** What a server prints of itself. */
export interface RemotePlace {
  /** `http://host:port/` or `https://…`. */
  readonly url: string;
  readonly token: string;
}

/** How a server is attached to. */
export interface RemoteAgentOptions extends RemotePlace {
  /** Where the server is after it was started anew. */
  readonly moved?: () => Promise<RemotePlace | undefined>;
  /** Milliseconds without the server until it is given up. Default: never. */
  readonly patience?: number | undefined;
  /** Default: plainSocket. */
  readonly socket?: SocketMaker;
  /** Whether `socket` trusts given certificates alone. */
  readonly pinned?: boolean;
  /** The folder files are named from on this side; `there` is the server's. */
  readonly cwd: (there: string) => string;
}

/** Connects to a server. Throws a UserError that says why it cannot. */
export async function openRemoteAgent(
  options: RemoteAgentOptions,
): Promise<RemoteAgent> {
  const { url, token, moved, cwd, patience, socket } = options;
  let place = { url: socketAt(url), token };
  const make = () =>
    new RemoteClient({
      ...place,
      ...(socket && { socket }),
      ...(moved && {
        async moved() {
          const now = await moved();
          return now && (place = { url: socketAt(now.url), token: now.token });
        },
      }),
    });
  const client = make();
  try {
    await online(client, options);
  } catch (error) {
    client.close();
    throw error;
  }
  const there = client.hello?.cwd ?? "";
  return new RemoteAgent({ client, peek: make, cwd: cwd(there), patience });
}

function socketAt(url: string): string {
  const socket = new URL("ws", url);
  socket.protocol = socket.protocol.replace("http", "ws");
  return socket.href;
}

// The first try tells: who cannot be reached at the start is at another place.
async function online(
  client: RemoteClient,
  { url, pinned = false }: RemoteAgentOptions,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = client.subscribe(() => {
    if (client.connection !== "connecting") resolve();
  });
  if (client.connection !== "connecting") resolve();
  await promise;
  stop();
  if (client.connection === "online") return;
  const why = client.connection === "refused"
    ? `${
      client.problem ?? "Wrong token"
    }: take the address that mm serve prints`
    : await reason(url, pinned);
  throw new UserError(`Cannot attach to ${url}: ${why}`);
}

/** Why no WebSocket could be opened: what the server answers to a plain request. */
async function reason(
  url: string,
  pinned: boolean,
): Promise<string> {
  try {
    const response = await fetch(new URL("ws", url), {
      redirect: "manual",
      signal: AbortSignal.timeout(5_000),
    });
    const text = await response.text();
    // That it is for WebSockets is what mm serve says.
    if (response.status === 426) {
      return "it lets nobody in now, after many wrong tokens or with many clients: try again in a minute";
    }
    if (response.status === 403 && text.includes("--name")) return text.trim();
    return "it is no mm server";
  } catch (error) {
    if (!/certificate/i.test(`${errorLine(error)} ${errorRaw(error)}`)) {
      return "nobody answers there; is mm serve running?";
    }
    return pinned
      ? "its certificate is not the one that is trusted"
      : "its certificate is not trusted here; --cert names one that is";
  }
}
