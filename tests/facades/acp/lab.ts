import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  methods,
  ndJsonStream,
  type NewSessionRequest,
  type PromptResponse,
  type ReadTextFileRequest,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type WriteTextFileRequest,
} from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { Agent, type AgentOptions } from "../../../core/agent.ts";
import type { Model } from "../../../core/model.ts";
import type { Bundle } from "../../../core/plugin.ts";
import type { Store } from "../../../core/store.ts";
import { serve, type ServeOptions } from "../../../facades/acp/serve.ts";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { ScriptedModel, type Step } from "../../scripted_model.ts";
import { tools } from "../../core/setup.ts";
import { Pipe } from "./pipe.ts";
import { removeDir } from "../../temp_dir.ts";

/** What a test may choose. */
export interface LabOptions {
  readonly window?: number;
  readonly capabilities?: ClientCapabilities;
  readonly bundles?: readonly Bundle[];
  readonly store?: Store;
  readonly agent?: Partial<AgentOptions>;
  readonly model?: Partial<Model>;
  /** The project's folder. Default: a fresh one. */
  readonly dir?: string;
  /** How the user decides. Default: allow once. */
  readonly permit?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>;
  readonly readFile?: (request: ReadTextFileRequest) => Promise<string>;
  readonly writeFile?: (request: WriteTextFileRequest) => Promise<void>;
}

/** An agent on a scripted model, served to a client of the SDK. */
export interface Lab extends AsyncDisposable {
  readonly dir: string;
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly pipe: Pipe;
  readonly client: ClientContext;
  readonly connection: ClientConnection;
  /** All updates so far, in order. */
  readonly updates: { sessionId: string; update: SessionUpdate }[];
  readonly permissions: RequestPermissionRequest[];
  /** Opens a session in `dir`. */
  open(more?: Partial<NewSessionRequest>): Promise<string>;
  ask(sessionId: string, text: string): Promise<PromptResponse>;
  /** The updates of one session since `from`. */
  of(sessionId: string, from?: number): SessionUpdate[];
  /** Resolves once an update fits. */
  heard(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate>;
  /** Resolves when the agent has left. */
  readonly left: Promise<void>;
  readonly stop: AbortController;
}

/** Opens a lab whose model says `steps`. */
export async function lab(
  steps: readonly Step[] = [],
  options: LabOptions = {},
): Promise<Lab> {
  const bare = bareLab(steps, options);
  const { pipe } = bare;
  const updates: Lab["updates"] = [];
  const permissions: RequestPermissionRequest[] = [];
  let wake = Promise.withResolvers<void>();
  const app = client({ name: "test" })
    .onRequest(
      methods.client.session.requestPermission,
      async ({ params, signal }) => {
        permissions.push(params);
        if (options.permit) return await options.permit(params, signal);
        return { outcome: { outcome: "selected", optionId: "allow_once" } };
      },
    )
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params);
      wake.resolve();
      wake = Promise.withResolvers<void>();
    });
  const { readFile, writeFile } = options;
  if (readFile) {
    app.onRequest(
      methods.client.fs.readTextFile,
      async ({ params }) => ({ content: await readFile(params) }),
    );
  }
  if (writeFile) {
    app.onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      await writeFile(params);
      return {};
    });
  }
  const connection = app.connect(ndJsonStream(pipe.writable, pipe.readable));
  await connection.agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
  });
  const { agent: context } = connection;
  return {
    ...bare,
    client: context,
    connection,
    updates,
    permissions,
    async open(more = {}) {
      const { sessionId } = await context.request(methods.agent.session.new, {
        cwd: bare.dir,
        mcpServers: [],
        ...more,
      });
      return sessionId;
    },
    ask: (sessionId, text) =>
      context.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text }],
      }),
    of: (sessionId, from = 0) =>
      updates.slice(from).filter((u) => u.sessionId === sessionId)
        .map((u) => u.update),
    async heard(fits) {
      for (;;) {
        const found = updates.find((u) => fits(u.update));
        if (found) return found.update;
        await wake.promise;
      }
    },
    async [Symbol.asyncDispose]() {
      connection.close();
      await bare[Symbol.asyncDispose]();
    },
  };
}

/** A lab without a client: the test speaks bytes. */
export type BareLab =
  & Pick<
    Lab,
    "dir" | "agent" | "model" | "pipe" | "left" | "stop"
  >
  & AsyncDisposable;

/** Serves a scripted agent to whoever writes into `pipe`. */
export function bareLab(
  steps: readonly Step[] = [],
  options: LabOptions & Pick<ServeOptions, "maxLine" | "patienceMs"> = {},
): BareLab {
  const dir = options.dir ?? Deno.makeTempDirSync({ prefix: "mm-acp-" });
  const model = Object.assign(
    new ScriptedModel(steps, options.window),
    options.model,
  );
  const agent = new Agent({
    cwd: Deno.realPathSync(dir),
    model,
    store: options.store ?? new JsonStore(`${dir}/.mm/sessions`),
    bundles: options.bundles ?? [{ tools: Object.values(tools()) }],
    ...options.agent,
  });
  const pipe = new Pipe();
  const stop = new AbortController();
  const left = serve({
    agent,
    output: "text",
    signal: stop.signal,
    color: false,
    quiet: false,
    notices: [],
  }, {
    edges: pipe.edges,
    version: "1.2.3",
    ...(options.maxLine !== undefined && { maxLine: options.maxLine }),
    ...(options.patienceMs !== undefined &&
      { patienceMs: options.patienceMs }),
  });
  const ended = left.finally(() => pipe.close());
  return {
    dir: Deno.realPathSync(dir),
    agent,
    model,
    pipe,
    left: ended,
    stop,
    async [Symbol.asyncDispose]() {
      pipe.end();
      await ended;
      await agent[Symbol.asyncDispose]();
      if (options.dir === undefined) {
        await removeDir(dir);
      }
      assert.deepEqual(pipe.faults, []);
    },
  };
}

/** An answer that picks an option. */
export function pick(optionId: string): RequestPermissionResponse {
  return { outcome: { outcome: "selected", optionId } };
}
