import { type Address, parseAddress, urlOf } from "../../core/http/address.ts";
import { type LocalServer, localServers } from "./servers.ts";

/** A server that answered, with its models. */
export interface FoundServer extends LocalServer {
  readonly models: readonly string[];
}

/** Asks every local server at once for its models; those that answer in time, in order of preference. */
export async function detect(
  timeoutMs: number,
  servers = localServers(),
): Promise<readonly FoundServer[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const found = await Promise.all(servers.map(async (server) => {
    const models = await modelsOf(server, signal);
    return models.length > 0 ? [{ ...server, models }] : [];
  }));
  return found.flat();
}

// Whatever else listens on these ports answers something else, or nothing:
// a server that cannot be used is, for this purpose, not there.
async function modelsOf(
  { baseURL }: LocalServer,
  signal: AbortSignal,
): Promise<string[]> {
  const address = parseAddress(baseURL);
  if (!address) return [];
  try {
    using client = dial(address);
    const response = await fetch(urlOf(address, "/models"), {
      signal,
      ...(client && { client }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return [];
    }
    const { data } = await response.json();
    return data.map(({ id }: { id: unknown }) => String(id)).filter(canChat);
  } catch {
    return [];
  }
}

function dial({ socket: path }: Address): Deno.HttpClient | undefined {
  return path === undefined
    ? undefined
    : Deno.createHttpClient({ proxy: { transport: "unix", path } });
}

// They embed, rank or listen; none of them answers.
function canChat(model: string): boolean {
  return !/embed|rerank|whisper|bge-|minilm/i.test(model);
}
