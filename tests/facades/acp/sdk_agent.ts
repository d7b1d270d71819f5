import {
  agent,
  type AgentConnection,
  type AnyMessage,
} from "@agentclientprotocol/sdk";

/** An agent of the SDK that answers nothing but whether it takes what is sent. */
export class SdkAgent implements Disposable {
  readonly #writer: WritableStreamDefaultWriter<AnyMessage>;
  readonly #reader: ReadableStreamDefaultReader<AnyMessage>;
  readonly #connection: AgentConnection;
  #ids = 0;

  constructor(methods: readonly string[]) {
    const input = new TransformStream<AnyMessage>();
    const output = new TransformStream<AnyMessage>();
    const app = agent({ name: "sdk" });
    for (const method of methods) {
      app.onRequest(method as "session/new", () => ({ sessionId: "" }));
    }
    const { readable } = input;
    this.#connection = app.connect({ readable, writable: output.writable });
    this.#writer = input.writable.getWriter();
    this.#reader = output.readable.getReader();
  }

  /** False when it refuses `params`. */
  async takes(method: string, params: unknown): Promise<boolean> {
    const id = this.#ids++;
    const request = { jsonrpc: "2.0", id, method, params } as AnyMessage;
    await this.#writer.write(request);
    const { value } = await this.#reader.read();
    return value !== undefined && "result" in value;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}
