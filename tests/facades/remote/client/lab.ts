import type { Agent } from "../../../../core/agent.ts";
import { checkOptions } from "../../../../core/config.ts";
import { RemoteClient } from "../../../../facades/remote/client/client.ts";
import type { RemoteClientInit } from "../../../../facades/remote/client/client.ts";
import { plugin } from "../../../../facades/remote/plugin.ts";
import {
  openServer,
  type RemoteServer,
} from "../../../../facades/remote/server/remote_server.ts";
import type { ServeOptions } from "../../../../facades/remote/server/options.ts";

/** What the servers of tests let in. */
export const TOKEN = "a-token-for-the-tests";

/** Serves an agent on a free port of this machine, or on `port`. */
export async function serve(
  agent: Agent,
  options: Partial<ServeOptions> = {},
): Promise<RemoteServer> {
  const all = checkOptions(
    plugin.options,
    { port: 0, token: TOKEN, ...options },
    ["serve"],
  );
  return await openServer(agent, all as ServeOptions);
}

/** A client of it. */
export function connect(
  { port }: { readonly port: number },
  init: Partial<RemoteClientInit> = {},
): RemoteClient {
  return new RemoteClient({
    url: `ws://127.0.0.1:${port}/ws`,
    token: TOKEN,
    ...init,
  });
}

/** Resolves once `is` holds of what a client knows. Rejects when that would take far too long. */
export async function until(
  client: Pick<RemoteClient, "subscribe">,
  is: () => boolean,
): Promise<void> {
  if (is()) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = client.subscribe(() => is() && resolve());
  const timer = setTimeout(
    () => reject(new Error(`It never came: ${is}`)),
    120_000,
  );
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Closes a server once its clients have left. */
export async function close(server: RemoteServer): Promise<void> {
  for (let n = 0; server.clients > 0 && n < 1_000; n++) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await server[Symbol.asyncDispose]();
}
