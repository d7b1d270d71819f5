import { Exchange, type Server } from "./exchange.ts";
import { at, listAt, textAt } from "../json.ts";
import { nearest } from "../nearest.ts";

/** A model as a server lists it. */
export interface Listed {
  readonly id: string;
  /** Who serves it: Ollama says `library`, Docker Model Runner `docker`. */
  readonly owner: string;
}

/** Asks `GET /models`. Throws ModelError when there is no list. */
export async function listModels(
  server: Server,
  signal: AbortSignal,
): Promise<readonly Listed[]> {
  await using http = await Exchange.open(
    server,
    "/models",
    undefined,
    signal,
  );
  await http.expectOk();
  if (!/\bjson$/.test(http.media)) {
    throw http.notAModel(await http.text(64 * 1024, true));
  }
  const value = await http.json();
  if (at(value, "data") === undefined && at(value, "object") !== "list") {
    throw http.protocol("the list of models has no data");
  }
  return listAt(value, "data").map((item) => ({
    id: textAt(item, "id"),
    owner: textAt(item, "owned_by"),
  })).filter(({ id }) => id !== "");
}

/** The way out of "model not found": how to get it, or which names there are. */
export async function missingModelHint(
  server: Server,
  name: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  let listed: readonly Listed[];
  try {
    listed = await listModels({ ...server, watchdogMs: 3000 }, signal);
  } catch {
    signal.throwIfAborted();
    return undefined; // the error being explained says enough
  }
  const names = listed.map(({ id }) => id);
  if (names.includes(name)) return undefined;
  const near = nearest(name, names);
  const owner = (listed.find(({ id }) => id === near) ?? listed[0])?.owner;
  const ways = [
    near && `did you mean "${near}"?`,
    pull(server, owner, name),
    !near && names.length > 0 && `it offers ${some(names)}`,
  ];
  return ways.filter(Boolean).join(" or ") || "it offers no model";
}

function pull(server: Server, owner: string | undefined, name: string) {
  if (owner === "docker") return `run \`docker model pull ${name}\``;
  const ollama = owner === "library" || server.address.base.port === "11434";
  return ollama && `run \`ollama pull ${name}\``;
}

function some(names: readonly string[]): string {
  const shown = names.slice(0, 4).join(", ");
  return names.length > 4 ? `${shown} and ${names.length - 4} more` : shown;
}
