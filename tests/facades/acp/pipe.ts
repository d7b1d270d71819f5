import { LineCheck } from "./schema.ts";
import type { Edges } from "../../../facades/acp/wire/wire.ts";

/** Both directions between a test and an agent in the same process; every line of the agent is checked. */
export class Pipe {
  readonly check = new LineCheck();
  /** Every message the agent wrote, in order. */
  readonly out: Record<string, unknown>[] = [];
  /** The same, as lines. */
  readonly lines: string[] = [];
  /** What is wrong with what it wrote. */
  readonly faults: unknown[] = [];
  readonly edges: Edges;
  /** Bytes for an ACP client. */
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly #input: ReadableStreamDefaultController<Uint8Array>;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true });
  readonly #sender = new TextDecoder();
  #rest = "";
  #sent = "";
  #ended = false;
  #wake = Promise.withResolvers<void>();

  /** While it is pending, the agent's writes wait, as those to a client that does not read. */
  stalled: Promise<unknown> = Promise.resolve();

  constructor() {
    let input!: ReadableStreamDefaultController<Uint8Array>;
    let output!: ReadableStreamDefaultController<Uint8Array>;
    this.readable = new ReadableStream({ start: (c) => void (output = c) });
    this.writable = new WritableStream({
      write: (bytes) => this.#take(bytes),
      close: () => this.end(),
    });
    this.edges = {
      input: new ReadableStream({ start: (c) => void (input = c) }),
      write: async (bytes) => {
        await this.stalled;
        this.#read(bytes);
        output.enqueue(bytes.slice());
      },
    };
    this.#input = input;
    this.#output = output;
  }

  readonly #output: ReadableStreamDefaultController<Uint8Array>;

  /** Sends one message. */
  send(message: unknown): void {
    this.bytes(`${JSON.stringify(message)}\n`);
  }

  /** Sends bytes as they are. */
  bytes(bytes: string | Uint8Array): void {
    this.#take(
      typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes,
    );
  }

  /** Ends the agent's input. */
  end(): void {
    if (this.#ended) return;
    this.#note([this.#sent]);
    this.#ended = true;
    try {
      this.#input.close();
    } catch { /* the agent reads no more */ }
  }

  /** Ends the client's input, as when the agent left. */
  close(): void {
    this.end();
    try {
      this.#output.close();
    } catch { /* the client left first */ }
  }

  /** The first message that fits, of those since `from` or to come. */
  async until(
    fits: (message: Record<string, unknown>) => boolean,
    from = 0,
  ): Promise<Record<string, unknown>> {
    for (;;) {
      const found = this.out.slice(from).find(fits);
      if (found) return found;
      await this.#wake.promise;
    }
  }

  /** The answer to request `id`. */
  answer(id: unknown): Promise<Record<string, unknown>> {
    return this.until((m) => m.id === id && m.method === undefined);
  }

  #take(bytes: Uint8Array): void {
    this.#sent += this.#sender.decode(bytes, { stream: true });
    const lines = this.#sent.split("\n");
    this.#sent = lines.pop() ?? "";
    this.#note(lines);
    try {
      if (!this.#ended) this.#input.enqueue(bytes);
    } catch { /* the agent reads no more */ }
  }

  #note(lines: readonly string[]): void {
    for (const line of lines) {
      try {
        this.check.sent(JSON.parse(line));
      } catch { /* not meant to be JSON */ }
    }
  }

  #read(bytes: Uint8Array): void {
    this.#rest += this.#decoder.decode(bytes, { stream: true });
    const lines = this.#rest.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      try {
        this.out.push(this.check.line(line));
      } catch (error) {
        this.faults.push(error);
      }
    }
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}
