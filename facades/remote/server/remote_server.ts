import type { IncomingMessage } from "node:http";
import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import type { Agent } from "../../../core/agent.ts";
import { randomHex } from "../../../core/id.ts";
import { type Hello, MAX_MESSAGE, PROTOCOL, REFUSED } from "../wire.ts";
import { Answers } from "./answer.ts";
import { answerPage, refusal } from "./answer_page.ts";
import { Auth } from "./auth.ts";
import { Client } from "./client.ts";
import { commandList } from "./command.ts";
import { Crowd } from "./crowd.ts";
import { Desk } from "./desk.ts";
import { type Head, readHead } from "./head.ts";
import { listen, type Listening, type Socket } from "./listen.ts";
import type { ServeOptions } from "./options.ts";
import { checkUpgrade, isUpgrade } from "./upgrade.ts";
import { writeAnswer } from "./write_answer.ts";

/** Opens a server on an agent. Throws a UserError when it cannot listen. */
export async function openServer(
  agent: Agent,
  options: ServeOptions,
): Promise<RemoteServer> {
  const server = new RemoteServer(agent, options);
  try {
    await server.listen();
    return server;
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

/** The sessions of an agent, served to web pages and terminals. */
export class RemoteServer implements AsyncDisposable {
  /** What lets a client in. */
  readonly token: string;
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

  #listening: Listening | undefined;
  #closing = false;

  /** It lets nobody in yet. */
  constructor(agent: Agent, options: ServeOptions) {
    this.token = options.token ?? randomHex(64);
    this.#options = options;
    this.#agent = agent;
    this.#auth = new Auth(this.token);
    this.#desk = new Desk({
      agent,
      replay: options.replay,
      idleReleaseMs: options.idleRelease * 1000,
    });
    this.#answers = new Answers(agent, this.#desk);
    this.#heartbeat = setInterval(
      () => this.#clients.forEach((client) => client.check()),
      options.heartbeat * 1000,
    );
  }

  /** Lets clients in from now on. Throws a UserError when the port cannot be had. */
  async listen(): Promise<void> {
    this.#listening = await listen(this.#options, (socket) => {
      socket.on("error", () => {}); // whoever is gone needs no answer
      if (this.#crowd.admit(socket)) void this.#serve(socket);
      else socket.destroy();
    });
  }

  /** What lets one client of this machine in, once; it is told the token. */
  ticket(): string {
    return this.#auth.ticket();
  }

  /** Where it listens. */
  get port(): number {
    return this.#listening?.port ?? 0;
  }

  /** How many clients are connected. */
  get clients(): number {
    return this.#clients.size;
  }

  /** Stops what runs, saves, tells the clients, and listens no more. */
  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#closing = true;
    this.#listening?.close();
    for (const client of this.#clients) client.deafen();
    await this.#desk.close();
    for (const client of this.#clients) client.leave();
    await this.#allGone(GOODBYE_MS);
    for (const client of this.#clients) client.cutOff();
    this.#crowd.close();
    this.#sockets.close();
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

  async #serve(socket: Socket): Promise<void> {
    try {
      const read = await readHead(socket);
      if (!read) return;
      if ("problem" in read) return writeAnswer(socket, refusal(read.problem));
      const { head, rest } = read;
      if (isUpgrade(head)) return this.#upgrade(socket, head, rest);
      const answer = await answerPage(head, this.#names);
      writeAnswer(socket, answer, head.method === "HEAD");
    } catch (error) {
      console.error("Unexpected error:", error);
      writeAnswer(socket, refusal([500, "Internal error"]));
    }
  }

  #upgrade(socket: Socket, head: Head, rest: Buffer): void {
    const verdict = checkUpgrade(head, {
      auth: this.#auth,
      names: this.#names,
      address: socket.remoteAddress ?? "",
    });
    if (typeof verdict === "object") {
      return writeAnswer(socket, refusal(verdict));
    }
    if (this.#closing || this.#clients.size >= MAX_CLIENTS) {
      return writeAnswer(socket, refusal([503, "No room for another client"]));
    }
    const request = head as unknown as IncomingMessage; // of it no more is looked at
    this.#sockets.handleUpgrade(request, socket, rest, (client) => {
      if (verdict !== "wrong") {
        return this.#welcome(client, socket, verdict === "ticket");
      }
      client.on("error", () => {});
      client.close(REFUSED, "Wrong token");
      const late = setTimeout(() => client.terminate(), GOODBYE_MS);
      client.on("close", () => clearTimeout(late));
    });
  }

  #welcome(socket: WebSocket, connection: Socket, byTicket: boolean): void {
    this.#crowd.welcome(connection);
    const client = new Client({
      socket,
      answers: this.#answers,
      hello: { ...this.#hello, ...(byTicket && { token: this.token }) },
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
