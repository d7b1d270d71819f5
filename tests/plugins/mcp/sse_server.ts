/** An MCP server on the older SSE transport, with the tools `echo` and `break`. */
export class SseServer implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request) =>
        request.method === "GET" ? this.#open() : this.#post(request),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/sse`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  #open(): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
        this.#send("endpoint", "/messages");
      },
    });
    return new Response(body, {
      headers: { "content-type": "text/event-stream" },
    });
  }

  async #post(request: Request): Promise<Response> {
    const { id, method, params } = await request.json();
    const result = this.#answer(method, params);
    if (params?.name === "break") this.#stream?.close();
    else if (id !== undefined) {
      const message = { jsonrpc: "2.0", id, result };
      this.#send("message", JSON.stringify(message));
    }
    return new Response(null, { status: 202 });
  }

  // deno-lint-ignore no-explicit-any
  #answer(method: string, params: any): unknown {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "old", version: "1" },
        };
      case "tools/list":
        return { tools: [{ name: "echo" }, { name: "break" }] };
      default:
        return {
          content: [{ type: "text", text: JSON.stringify(params?.arguments) }],
        };
    }
  }

  #send(event: string, data: string): void {
    this.#stream?.enqueue(
      new TextEncoder().encode(`event: ${event}\ndata: ${data}\n\n`),
    );
  }
}
