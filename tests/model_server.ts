/**
 * Scripted model servers, over real HTTP on the loopback. As a program:
 *
 *   deno run -A tests/model_server.ts [--anthropic] [--port N] [--socket PATH]
 *     [--script FILE.json] [--log FILE.jsonl] [step …]
 *
 * prints its base URL and serves until it is ended. A step is a fault's name
 * (`--faults` lists them) or a text to answer; FILE.json holds an array of
 * steps; each POST takes one and the last repeats. `--log` gets every request
 * as a line of JSON.
 */
import { parseArgs } from "node:util";
import { anthropic } from "./model_server/anthropic.ts";
import type { Dialect, Scripted } from "./model_server/dialect.ts";
import { FAULTS } from "./model_server/faults.ts";
import { openai } from "./model_server/openai.ts";
import {
  type Handler,
  type Recorded,
  type Resetting,
  respond,
  serve,
  stream,
} from "./model_server/wire.ts";

export type { Recorded, Scripted };

/** What to do with one request: answer a text, an answer, fail, or anything. */
export type Step =
  | string
  | Scripted
  /** With `when`, what goes wrong in mid-stream does so no earlier. */
  | { readonly fault: string; readonly when?: Promise<void> }
  /** The answer as one JSON object, though a stream was asked for. */
  | { readonly whole: Scripted }
  /** Raw pieces of an event stream. */
  | { readonly pieces: readonly (string | Uint8Array)[] }
  | ((request: Recorded) => Response | Promise<Response>);

/** Where to listen, and what to tell about models. */
export interface ServerOptions {
  readonly port?: number;
  /** A Unix socket instead of a port. */
  readonly socket?: string;
  readonly models?: readonly string[];
  readonly onRequest?: (request: Recorded) => void;
}

/** A running scripted server. */
export interface ModelServer extends AsyncDisposable {
  /** For `baseURL`. */
  readonly url: string;
  /** Every request for an answer, oldest first. */
  readonly requests: Recorded[];
  /** Every other request (GET /models). */
  readonly others: Recorded[];
  /** Connections open now. */
  readonly open: number;
}

/** Speaks OpenAI's chat completions. Steps are used one by one, the last repeats. */
export function openaiServer(
  script: readonly Step[],
  options?: ServerOptions,
): ModelServer {
  return start(openai, script, options);
}

/** Speaks Anthropic's Messages API. */
export function anthropicServer(
  script: readonly Step[],
  options?: ServerOptions,
): ModelServer {
  return start(anthropic, script, options);
}

function start(
  dialect: Dialect,
  script: readonly Step[],
  { port = 0, socket, models = ["test-model"], onRequest }: ServerOptions = {},
): ModelServer {
  const listener = socket
    ? Deno.listen({ transport: "unix", path: socket })
    : Deno.listen({ hostname: "127.0.0.1", port });
  const stop = new AbortController();
  const running = new Set<Promise<void>>();
  const requests: Recorded[] = [];
  const others: Recorded[] = [];
  let used = 0;

  const choose = (method: string): Handler | Resetting => {
    if (method !== "POST") {
      return respond(Response.json(dialect.models(models)));
    }
    const step = script[Math.min(used++, script.length - 1)];
    if (step === undefined) throw new Error("The script has no step");
    return handlerOf(dialect, step);
  };
  const record = (request: Recorded) => {
    (request.method === "POST" ? requests : others).push(request);
    onRequest?.(request);
  };
  const accept = async () => {
    for await (const conn of listener) {
      const one = serve(conn, stop.signal, choose, record);
      running.add(one);
      one.finally(() => running.delete(one));
    }
  };
  const accepting = accept();
  const { addr } = listener;
  return {
    url: addr.transport === "tcp"
      ? `http://127.0.0.1:${addr.port}/v1`
      : `unix://${socket}:/v1`,
    requests,
    others,
    get open() {
      return running.size;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      listener.close();
      await accepting.catch(() => {}); // the listener is closed
      await Promise.all(running);
    },
  };
}

function handlerOf(dialect: Dialect, step: Step): Handler | Resetting {
  if (typeof step === "function") {
    return async (wire, request) =>
      await respond(await step(request))(wire, request);
  }
  if (typeof step === "string") return answer(dialect, { text: step });
  if ("fault" in step) {
    const fault = FAULTS[step.fault];
    if (!fault) throw new Error(`Cannot find fault "${step.fault}"`);
    return step.when ? late(fault(dialect), step.when) : fault(dialect);
  }
  if ("whole" in step) return respond(Response.json(dialect.whole(step.whole)));
  if ("pieces" in step) return stream(step.pieces);
  return answer(dialect, step);
}

function late(
  handler: Handler | Resetting,
  when: Promise<void>,
): Handler | Resetting {
  const run: Handler = (wire, request) =>
    ("reset" in handler ? handler.reset : handler)(
      { ...wire, pause: () => when },
      request,
    );
  return "reset" in handler ? { reset: run } : run;
}

function answer(dialect: Dialect, scripted: Scripted): Handler {
  return stream(dialect.frames(scripted), scripted.delayMs);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    allowPositionals: true,
    options: {
      anthropic: { type: "boolean" },
      port: { type: "string" },
      socket: { type: "string" },
      script: { type: "string" },
      log: { type: "string" },
      models: { type: "string" },
      faults: { type: "boolean" },
    },
  });
  if (values.faults) {
    console.log(Object.keys(FAULTS).join("\n"));
    Deno.exit(0);
  }
  const script: Step[] = values.script
    ? JSON.parse(Deno.readTextFileSync(values.script))
    : positionals.map((p) => Object.hasOwn(FAULTS, p) ? { fault: p } : p);
  if (script.length === 0) script.push("Hello from the scripted server.");
  const log = values.log;
  const server = start(values.anthropic ? anthropic : openai, script, {
    port: Number(values.port ?? 0),
    ...values.socket && { socket: values.socket },
    ...values.models && { models: values.models.split(",") },
    ...log && {
      onRequest: ({ method, path, body }) =>
        Deno.writeTextFileSync(
          log,
          `${JSON.stringify({ method, path, body })}\n`,
          { append: true },
        ),
    },
  });
  console.log(server.url);
}
