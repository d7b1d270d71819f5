import assert from "node:assert/strict";
import { join } from "node:path";
import { startMm } from "../../mm.ts";
import { RawClient } from "./raw_client.ts";

/** `mm serve` as a process of its own. */
export class MmServe implements AsyncDisposable {
  readonly process: Deno.ChildProcess;
  readonly note: {
    readonly pid: number;
    readonly url: string;
    readonly token: string;
    readonly version: string;
  };
  readonly #lines: ReadableStreamDefaultReader<string>;
  readonly stderr: Promise<string>;
  /** The line it printed. */
  readonly line: string;

  private constructor(
    process: Deno.ChildProcess,
    { line, lines, stderr, note }: {
      line: string;
      lines: ReadableStreamDefaultReader<string>;
      stderr: Promise<string>;
      note: MmServe["note"];
    },
  ) {
    this.process = process;
    this.line = line;
    this.#lines = lines;
    this.stderr = stderr;
    this.note = note;
  }

  /** Starts one in `cwd` on a port that is free, and waits until it is reached. */
  static async start(
    cwd: string,
    { args = [], env = {} }: {
      args?: readonly string[];
      env?: Record<string, string>;
    } = {},
  ): Promise<MmServe> {
    const process = await startMm(["serve", "--port", "0", ...args], {
      cwd,
      env,
    });
    const stderr = new Response(process.stderr).text();
    const lines = process.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    const { value, done } = await lines.read();
    if (done) assert.fail(`mm serve left: ${await stderr}`);
    const note = JSON.parse(
      await Deno.readTextFile(join(cwd, ".mm/serve.json")),
    );
    return new MmServe(process, { line: value, lines, stderr, note });
  }

  /** A client that was greeted. */
  async client(): Promise<RawClient> {
    const { url, token } = this.note;
    const socket = url.replace(/^http/, "ws");
    const client = new RawClient(`${socket}ws`, token);
    await client.next("hello");
    return client;
  }

  /** Ends it; its exit code. */
  async end(signal: Deno.Signal = "SIGTERM"): Promise<number> {
    try {
      this.process.kill(signal);
    } catch { /* it has left */ }
    for (;;) {
      const { done } = await this.#lines.read();
      if (done) break;
    }
    const { code } = await this.process.status;
    await this.stderr;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end("SIGKILL");
  }
}
