/** A chat-completions server on this machine that answers `text`, or as `answer` says. */
export class ChatServer implements AsyncDisposable {
  readonly requests: { model: string; messages: { content: string }[] }[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #stop = new AbortController();

  constructor(
    answer: string | (() => Response | Promise<Response>) = "Hello",
  ) {
    this.#server = Deno.serve(
      {
        port: 0,
        hostname: "127.0.0.1",
        onListen() {},
        signal: this.#stop.signal,
      },
      async (request) => {
        if (request.method === "GET") {
          return Response.json({ data: [{ id: "tiny" }, { id: "big" }] });
        }
        this.requests.push(await request.json());
        return typeof answer === "string" ? says(answer) : answer();
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/v1`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#server.finished;
  }
}

/** A whole answer, streamed. */
export function says(text: string): Response {
  const chunks = [
    { choices: [{ index: 0, delta: { content: text } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  ];
  const events = [...chunks.map((c) => JSON.stringify(c)), "[DONE]"];
  return new Response(events.map((e) => `data: ${e}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

/** An answer that says a text again and again, and never ends. */
export function goesOn(text: string): Response {
  const chunk = JSON.stringify({
    choices: [{ index: 0, delta: { content: text } }],
  });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      controller.enqueue(new TextEncoder().encode(`data: ${chunk}\n\n`));
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream" },
  });
}

/** An answer that begins and never ends. */
export function neverEnds(text: string): Response {
  const chunk = JSON.stringify({
    choices: [{ index: 0, delta: { content: text } }],
  });
  const body = new ReadableStream({
    start: (c) => c.enqueue(new TextEncoder().encode(`data: ${chunk}\n\n`)),
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream" },
  });
}
