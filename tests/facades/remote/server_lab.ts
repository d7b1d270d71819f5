import { Agent, type AgentOptions } from "../../../core/agent.ts";
import { checkOptions } from "../../../core/config.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import type { Store } from "../../../core/store.ts";
import {
  Options,
  type ServeOptions,
} from "../../../facades/remote/server/options.ts";
import {
  openServer,
  type RemoteServer,
} from "../../../facades/remote/server/remote_server.ts";
import { tools } from "../../core/setup.ts";
import { ScriptedModel, type Step } from "../../scripted_model.ts";
import { RawClient } from "./raw_client.ts";

/** An agent on a scripted model, served on a port of its own. */
export interface ServerLab extends AsyncDisposable {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly server: RemoteServer;
  readonly url: string;
  /** A client that was greeted; it is closed with the lab. */
  client(): Promise<RawClient>;
}

/** What a test may choose. */
export interface ServerLabOptions {
  readonly store?: Store;
  readonly agent?: Partial<AgentOptions>;
  readonly serve?: Partial<ServeOptions>;
}

/** The token of every lab. */
export const TOKEN = "a-token-for-tests-0123456789";

/** Serves a model that says `steps`. */
export async function serverLab(
  steps: readonly Step[] = [],
  { store = new MemoryStore(), agent: more, serve }: ServerLabOptions = {},
): Promise<ServerLab> {
  const model = new ScriptedModel(steps);
  const agent = new Agent({
    cwd: "/project",
    model,
    store,
    bundles: [{ tools: Object.values(tools()) }],
    ...more,
  });
  const server = await openServer(agent, options(serve));
  const url = `ws://127.0.0.1:${server.port}/ws`;
  const clients: RawClient[] = [];
  return {
    agent,
    model,
    server,
    url,
    async client() {
      const client = new RawClient(url, TOKEN);
      clients.push(client);
      await client.next("hello");
      return client;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await Promise.all(clients.map((c) => c.closed));
      await agent[Symbol.asyncDispose]();
    },
  };
}

/** The options of a lab's server. */
export function options(more: Partial<ServeOptions> = {}): ServeOptions {
  return checkOptions(
    Options,
    { version: "1.2.3", port: 0, token: TOKEN, ...more },
    ["serve"],
  );
}

/** A model's step that waits until the test lets it go on. */
export function gate(then: Step): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  return {
    open: resolve,
    reached: reached.promise,
    step: async (_request, signal) => {
      reached.resolve();
      const aborted = new Promise<void>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      );
      await Promise.race([promise, aborted]);
      return then;
    },
  };
}

/** Holds a model back. */
export interface Gate {
  readonly open: () => void;
  readonly reached: Promise<void>;
  readonly step: Step;
}
