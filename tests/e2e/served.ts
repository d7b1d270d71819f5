import assert from "node:assert/strict";
import { startMm } from "../mm.ts";

/** A running `mm serve` that can be killed and started again on its port. */
export class Served implements AsyncDisposable {
  readonly port: number;
  readonly token = "a-token-of-a-test-0123456789";
  readonly #cwd: string;
  #child: Deno.ChildProcess | undefined;
  #log: Promise<unknown> = Promise.resolve();

  constructor(cwd: string, port = freePort()) {
    this.#cwd = cwd;
    this.port = port;
  }

  /** Starts it, and waits until it says where it is. */
  async start(): Promise<void> {
    const args = ["serve", "--json", "--port", String(this.port)];
    const child = await startMm(args, {
      cwd: this.#cwd,
      env: { MM_TOKEN: this.token },
    });
    this.#child = child;
    const stderr = new Response(child.stderr).text();
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const { value, done } = await lines.read();
    if (done) assert.fail(`mm serve ended: ${await stderr}`);
    assert.match(value, /"url"/);
    this.#log = Promise.all([stderr, drain(lines)]);
  }

  /** As when the power goes. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    child.kill("SIGKILL");
    await child.status;
    await this.#log;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}

async function drain(
  reader: ReadableStreamDefaultReader<string>,
): Promise<void> {
  while (!(await reader.read()).done);
}

// Below those that the system gives to whoever asks for any: between two
// starts nobody else is given it.
function freePort(): number {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
