import { LineCheck } from "./schema.ts";
import { startMm } from "../../mm.ts";

/** `mm acp` as a process of its own; every line it writes is checked. */
export class Child implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #check = new LineCheck();
  readonly #reading: Promise<void>;
  readonly stderr: Promise<string>;
  /** Every message it wrote, in order. */
  readonly out: Record<string, unknown>[] = [];
  #wake = Promise.withResolvers<void>();
  #ids = 0;
  #fault: unknown;

  private constructor(process: Deno.ChildProcess) {
    this.#process = process;
    this.#input = process.stdin.getWriter();
    this.#reading = this.#read();
    this.stderr = new Response(process.stderr).text();
  }

  /** Starts one in `cwd`, initialized. */
  static async start(
    cwd: string,
    { args = [], env = {} }: {
      args?: readonly string[];
      env?: Record<string, string>;
    } = {},
  ): Promise<Child> {
    const process = await startMm(["acp", ...args], { cwd, stdin: "", env });
    const child = new Child(process);
    await child.ask("initialize", { protocolVersion: 1 });
    return child;
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Sends a request; its result. Throws its error. */
  async ask(method: string, params: unknown): Promise<Record<string, unknown>> {
    const id = await this.send(method, params);
    const { result, error } = await this.until((m) =>
      m.id === id && m.method === undefined
    );
    if (error) throw error;
    return result as Record<string, unknown>;
  }

  /** Sends a request and does not wait; its id. */
  async send(method: string, params: unknown): Promise<number> {
    const id = ++this.#ids;
    await this.write({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  async write(message: unknown): Promise<void> {
    this.#check.sent(message);
    const line = `${JSON.stringify(message)}\n`;
    await this.#input.write(new TextEncoder().encode(line));
  }

  /** The first message that fits, past or to come. */
  async until(
    fits: (message: Record<string, unknown>) => boolean,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.out.find(fits);
      if (found) return found;
      if (this.#fault) throw this.#fault;
      await this.#wake.promise;
    }
  }

  /** The updates so far, by kind. */
  updates(kind: string): Record<string, unknown>[] {
    return this.out.flatMap(({ params }) => {
      const { update } = (params ?? {}) as {
        update?: { sessionUpdate: string };
      };
      return update?.sessionUpdate === kind ? [update] : [];
    });
  }

  kill(signal: Deno.Signal): void {
    this.#process.kill(signal);
  }

  /** Ends its input. */
  async end(): Promise<void> {
    await this.#input.close().catch(() => {});
  }

  /** Ends its input and waits; its exit code. */
  async left(): Promise<number> {
    await this.end();
    const { code } = await this.#process.status;
    await this.#reading;
    if (this.#fault) throw this.#fault;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.left();
    await this.stderr;
  }

  async #read(): Promise<void> {
    let rest = "";
    for await (
      const text of this.#process.stdout.pipeThrough(new TextDecoderStream())
    ) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#line(line);
      this.#wake.resolve();
      this.#wake = Promise.withResolvers<void>();
    }
    if (rest) this.#line(rest);
    this.#fault ??= undefined;
    this.#wake.resolve();
  }

  #line(line: string): void {
    try {
      this.out.push(this.#check.line(line));
    } catch (error) {
      this.#fault ??= error;
    }
  }
}
