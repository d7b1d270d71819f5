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
  try {
    using http = client(baseURL);
    const response = await fetch(http.url, { signal, ...http.options });
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

function client(baseURL: string) {
  if (!baseURL.startsWith("unix://")) {
    return { url: `${baseURL}/models`, options: {}, [Symbol.dispose]() {} };
  }
  const path = baseURL.slice("unix://".length);
  const client = Deno.createHttpClient({ proxy: { transport: "unix", path } });
  return {
    url: "http://localhost/engines/v1/models",
    options: { client },
    [Symbol.dispose]: () => client.close(),
  };
}

// They embed, rank or listen; none of them answers.
function canChat(model: string): boolean {
  return !/embed|rerank|whisper|bge-|minilm/i.test(model);
}
