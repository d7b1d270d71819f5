import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import { setImmediate } from "node:timers/promises";
import { check, isRefusal, isRequest, type Message } from "./envelope.ts";
import { parseExact, stringifyExact } from "./exact_id.ts";
import { type Line, LineSplitter } from "./lines.ts";
import { OneWriter } from "./one_writer.ts";
import { Output, type Write } from "./output.ts";
import { Requests } from "./requests.ts";

/** The bytes of both directions. */
export interface Edges {
  readonly input: ReadableStream<Uint8Array>;
  readonly write: Write;
}

/** What a wire tells. */
export interface WireOptions {
  /** Longest line that is read, in bytes. Default 64 MiB. */
  readonly maxLine?: number;
  /** How long the last answers may take, and a client to read anything of them. Default 10 s. */
  readonly patienceMs?: number;
  /** The client will say nothing more: what it still waits for should end soon. */
  readonly onEnd: () => void;
  /** Sees each message that passes, for the log. */
  readonly onMessage?: (way: "in" | "out", message: object) => void;
}

/**
 * Lines of JSON in front of the SDK. It hands on well-formed messages alone,
 * one at a time; holds back what follows `initialize` until that is answered;
 * reads no faster than answers can be written; and at the end of the input
 * waits until every request has its answer.
 */
export class Wire {
  readonly stream: Stream;
  readonly #edges: Edges;
  readonly #options: WireOptions;
  readonly #output: Output;
  readonly #requests = new Requests();
  readonly #end = Promise.withResolvers<void>();
  readonly #decoder = new TextDecoder(); // what is no UTF-8 becomes U+FFFD

  constructor(edges: Edges, options: WireOptions) {
    this.#edges = edges;
    this.#options = options;
    this.#output = new Output(edges.write, () => this.end());
    const messages = this.#messages();
    this.stream = {
      readable: new ReadableStream<AnyMessage>({
        async pull(controller) {
          const { value, done } = await messages.next();
          if (done) controller.close();
          else controller.enqueue(value as AnyMessage);
        },
      }, { highWaterMark: 0 }),
      writable: new OneWriter<AnyMessage>({
        write: (message) => this.#send(message),
      }),
    };
  }

  /** Reads nothing more, as at the end of the input. */
  end(): void {
    this.#end.resolve();
  }

  /** Reads and answers nothing more; resolves when all that was said is written. */
  async close(): Promise<void> {
    this.end();
    this.#requests.close();
    await this.#output.flush();
  }

  async *#messages(): AsyncGenerator<Message> {
    for await (const line of this.#lines()) {
      const message = await this.#read(line);
      if (!message) continue;
      const asks = isRequest(message);
      if (asks && !await this.#requests.room()) {
        await this.#refuse(message.id, -32603, "Too many requests at once");
        continue;
      }
      if (asks) this.#requests.add(message.id);
      yield message;
      if (asks && message.method === "initialize") {
        await this.#requests.answered(message.id);
      }
      // The SDK handles messages side by side: let this one take its place first.
      await setImmediate();
      await this.#output.room();
    }
    const { onEnd, patienceMs = PATIENCE_MS } = this.#options;
    this.#output.hasten(patienceMs);
    onEnd();
    await this.#requests.allAnswered(patienceMs);
  }

  async *#lines(): AsyncGenerator<Line> {
    const splitter = new LineSplitter(this.#options.maxLine ?? MAX_LINE);
    const reader = this.#edges.input.getReader();
    const end = this.#end.promise.then(() => undefined);
    try {
      for (;;) {
        const step = await Promise.race([reader.read(), end]);
        if (!step) return;
        if (step.done) break;
        yield* splitter.push(step.value);
      }
      yield* splitter.end();
    } catch (error) {
      console.error("Cannot read from the client:", String(error));
    } finally {
      // Not awaited: a read that waits in the system cannot be called back.
      reader.cancel().catch(() => {});
    }
  }

  async #read(line: Line): Promise<Message | undefined> {
    if (line === "too long") {
      await this.#refuse(null, -32600, "Invalid request: the line is too long");
      return undefined;
    }
    const text = this.#decoder.decode(line);
    if (text.trim() === "") return undefined;
    let value: unknown;
    try {
      value = parseExact(text);
    } catch {
      await this.#refuse(null, -32700, "Parse error: the line is no JSON");
      return undefined;
    }
    const message = check(value);
    if (isRefusal(message)) {
      await this.#refuse(message.id, message.code, message.message);
      return undefined;
    }
    this.#options.onMessage?.("in", message);
    return message;
  }

  async #refuse(id: unknown, code: number, message: string): Promise<void> {
    await this.#put({ jsonrpc: "2.0", id, error: { code, message } })
      .catch(() => this.end());
  }

  async #send(message: AnyMessage): Promise<void> {
    try {
      await this.#put(message);
    } finally {
      if (!("method" in message) && "id" in message) {
        this.#requests.done(message.id);
      }
    }
  }

  async #put(message: object): Promise<void> {
    this.#options.onMessage?.("out", message);
    await this.#output.send(stringifyExact(message));
  }
}

const MAX_LINE = 64 * 1024 * 1024;

const PATIENCE_MS = 10_000;
