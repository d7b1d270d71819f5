import { Agent, type AgentOptions } from "../../../core/agent.ts";
import type { FacadeHost } from "../../../core/facade.ts";
import type { Edges, Sink } from "../../../facades/terminal/edges.ts";
import { runTerminal } from "../../../facades/terminal/run.ts";
import { ScriptedModel, type Step } from "../../scripted_model.ts";
import { parrotTools } from "./parrot.ts";

/** A sink that remembers, and may close after some bytes. */
export class Remembering implements Sink {
  readonly #closesAfter: number;
  #bytes: number[] = [];
  isTerminal = false;

  constructor(closesAfter = Infinity) {
    this.#closesAfter = closesAfter;
  }

  get text(): string {
    return new TextDecoder().decode(new Uint8Array(this.#bytes));
  }

  async write(bytes: Uint8Array): Promise<number> {
    await Promise.resolve();
    if (this.#bytes.length >= this.#closesAfter) {
      throw new Deno.errors.BrokenPipe("Broken pipe (os error 32)");
    }
    const some = bytes.subarray(0, Math.max(1, bytes.length >> 1)); // short writes
    this.#bytes.push(...some);
    return some.length;
  }
}

/** One run of the facade off a TTY, and all it wrote. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly agent: Agent;
}

/** What a run may be given besides the model's script. */
export interface RunOptions {
  readonly stdin?: string | readonly Uint8Array[];
  readonly host?: Partial<FacadeHost>;
  readonly agent?: Partial<AgentOptions>;
  /** Goes on with the agent of an earlier run. */
  readonly after?: Ran;
  readonly stdout?: Remembering;
  readonly stderr?: Remembering;
}

/** Runs the facade with a scripted model, in memory. */
export async function run(
  steps: readonly Step[],
  options: RunOptions = {},
): Promise<Ran> {
  const agent = options.after?.agent ?? new Agent({
    cwd: "/project",
    model: new ScriptedModel(steps),
    bundles: [{ tools: parrotTools }],
    ...options.agent,
  });
  const out = options.stdout ?? new Remembering();
  const err = options.stderr ?? new Remembering();
  const code = await runTerminal({
    agent,
    output: "text",
    signal: new AbortController().signal,
    color: false,
    quiet: false,
    notices: [],
    ...options.host,
  }, edges(options.stdin ?? "", out, err));
  return { code, out: out.text, err: err.text, agent };
}

function edges(
  stdin: string | readonly Uint8Array[],
  stdout: Sink,
  stderr: Sink,
): Edges {
  const chunks = typeof stdin === "string"
    ? [new TextEncoder().encode(stdin)]
    : stdin;
  return {
    stdin: {
      readable: ReadableStream.from(chunks) as ReadableStream<Uint8Array>,
      isTerminal: false,
    },
    stdout,
    stderr,
    env: () => undefined,
  };
}
