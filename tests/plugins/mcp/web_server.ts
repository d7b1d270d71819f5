// @ts-types="@modelcontextprotocol/sdk/server/mcp"
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { object, string } from "zod";

/** A handler of requests; `next` is the real MCP server. */
export type Fault = (
  request: Request,
  next: (request: Request) => Promise<Response>,
) => Response | Promise<Response>;

/** The SDK's own server on streamable HTTP, on a port of its own. */
export class WebServer implements AsyncDisposable {
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #sessions = new Map<
    string,
    WebStandardStreamableHTTPServerTransport
  >();
  /** Method and session of every request, in order. */
  readonly seen: string[] = [];
  /** Stands in front of the server; may be changed while it runs. */
  fault: Fault = (request, next) => next(request);

  constructor() {
    this.#server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      (request) => {
        this.seen.push(request.method);
        return this.fault(request, (r) => this.#handle(r));
      },
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/mcp`;
  }

  /** Forgets all sessions, as a server that was started anew. */
  async forget(): Promise<void> {
    const all = [...this.#sessions.values()];
    this.#sessions.clear();
    for (const transport of all) await transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.forget();
    await this.#server.shutdown();
  }

  async #handle(request: Request): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id !== null) {
      const known = this.#sessions.get(id);
      return await known?.handleRequest(request) ??
        new Response("No such session", { status: 404 });
    }
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        this.#sessions.set(id, transport);
      },
    });
    await makeServer().connect(
      transport as Parameters<McpServer["connect"]>[0],
    );
    return await transport.handleRequest(request);
  }
}

function makeServer(): McpServer {
  const server = new McpServer({ name: "web", version: "1" });
  server.registerTool(
    "echo",
    { description: "Says it again", inputSchema: object({ text: string() }) },
    ({ text }) => ({ content: [{ type: "text", text }] }),
  );
  server.registerTool("grow", { description: "Adds a tool" }, () => {
    server.registerTool("grown", {}, () => ({ content: [] }));
    return { content: [{ type: "text", text: "grown" }] };
  });
  return server;
}
