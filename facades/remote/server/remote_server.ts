import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import type { Socket } from "node:net";
import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import type { Agent } from "../../../core/agent.ts";
import { randomHex } from "../../../core/id.ts";
import { Answers } from "./answer.ts";
import { Auth } from "./auth.ts";
import { Client } from "./client.ts";
import { commandList } from "./command.ts";
import { Crowd } from "./crowd.ts";
import { Desk } from "./desk.ts";
import { listen, makeServer } from "./listen.ts";
import type { ServeOptions } from "./options.ts";
import { answerPage, type Problem } from "./pages.ts";
import { checkUpgrade } from "./upgrade.ts";
import { type Hello, MAX_MESSAGE, PROTOCOL, REFUSED } from "../wire.ts";

/** Opens a server on an agent. Throws a UserError when it cannot listen. */
export async function openServer(
  agent: Agent,
  options: ServeOptions,
): Promise<RemoteServer> {
  const server = makeServer(options);
  const port = await listen(server, options);
  return new RemoteServer(server, { agent, options, port });
}

/** What a server is made of. */
export interface RemoteServerInit {
  readonly agent: Agent;
  readonly options: ServeOptions;
  readonly port: number;
}

/** The sessions of an agent, served to web pages and terminals. */
export class RemoteServer implements AsyncDisposable {
  readonly port: number;
  /** What lets a client in. */
  readonly token: string;
  readonly #server: Server;
  readonly #options: ServeOptions;
  readonly #agent: Agent;
  readonly #desk: Desk;
  readonly #answers: Answers;
  readonly #auth: Auth;
  readonly #crowd = new Crowd();
  readonly #clients = new Set<Client>();
  readonly #heartbeat: ReturnType<typeof setInterval>;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    // What is a little too long is refused; what is much too long ends the connection.
    maxPayload: 2 * MAX_MESSAGE,
    handleProtocols: () => PROTOCOL,
  });

  constructor(server: Server, { agent, options, port }: RemoteServerInit) {
    this.port = port;
    this.token = options.token ?? randomHex(64);
    this.#server = server;
    this.#options = options;
    this.#agent = agent;
    this.#auth = new Auth(this.token);
    this.#desk = new Desk({
      agent,
      replay: options.replay,
      idleReleaseMs: options.idleRelease * 1000,
    });
    this.#answers = new Answers(agent, this.#desk);
    this.#crowd.watch(server, options.tls ? "secureConnection" : "connection");
    server.on("request", (request, response) => {
      answerPage(request, response, this.#names).catch((error) => {
        console.error("Unexpected error:", error);
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end("Internal error\n");
      });
    });
    server.on("upgrade", (request, socket, head) => {
      this.#upgrade(request, socket, head);
    });
    server.on("clientError", (error, socket) => badRequest(error, socket));
    server.on("tlsClientError", (_error, socket) => socket.destroy());
    this.#heartbeat = setInterval(
      () => this.#clients.forEach((client) => client.check()),
      options.heartbeat * 1000,
    );
  }

  /** How many clients are connected. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Stops what runs, saves, tells the clients, and listens no more. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#heartbeat);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    await this.#desk.close();
    for (const client of this.#clients) client.leave();
    await this.#allGone(GOODBYE_MS);
    for (const client of this.#clients) client.cutOff();
    this.#sockets.close();
    this.#server.closeAllConnections();
    await closed;
  }

  get #names(): readonly string[] {
    return [this.#options.host, ...this.#options.names];
  }

  get #hello(): Hello {
    return {
      type: "hello",
      version: this.#options.version,
      cwd: this.#agent.cwd,
      commands: commandList(this.#agent),
    };
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {}); // whoever is gone needs no answer
    const verdict = checkUpgrade(request, {
      auth: this.#auth,
      names: this.#names,
    });
    if (typeof verdict === "object") return refuse(socket, verdict);
    const full = this.#clients.size >= MAX_CLIENTS;
    if (full) return refuse(socket, [503, "Too many clients"]);
    this.#sockets.handleUpgrade(request, socket, head, (client) => {
      if (verdict === "right") return this.#welcome(client, request.socket);
      client.on("error", () => {});
      client.close(REFUSED, "Wrong token");
      const late = setTimeout(() => client.terminate(), GOODBYE_MS);
      client.on("close", () => clearTimeout(late));
    });
  }

  #welcome(socket: WebSocket, connection: Socket): void {
    this.#crowd.welcome(connection);
    const client = new Client({
      socket,
      answers: this.#answers,
      hello: this.#hello,
      buffer: this.#options.buffer,
    });
    this.#clients.add(client);
    socket.on("close", () => this.#clients.delete(client));
  }

  async #allGone(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (this.#clients.size > 0 && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

/** How long a client may take to hear that it is over. */
const GOODBYE_MS = 1000;

/** Clients at once. */
const MAX_CLIENTS = 4096;

function refuse(socket: Duplex, [status, text]: Problem): void {
  const body = `${text}\n`;
  socket.end([
    `HTTP/1.1 ${status} ${REASONS[status] ?? "Refused"}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    "X-Content-Type-Options: nosniff",
    ...status === 429 ? ["Retry-After: 10"] : [],
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n"));
}

const REASONS: { readonly [status: number]: string } = {
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  503: "Service Unavailable",
};

function badRequest(error: Error, socket: Duplex): void {
  const { code } = error as { code?: string };
  if (!socket.writable || code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.on("error", () => {});
  refuse(
    socket,
    code === "HPE_HEADER_OVERFLOW"
      ? [431, "The headers are too long"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? [408, "The request took too long"]
      : [400, "This is no HTTP request"],
  );
}
