import {
  BEARER,
  type ClientMessage,
  type Hello,
  PROTOCOL,
  REFUSED,
  type ServerMessage,
} from "../wire.ts";
import { backoff } from "./backoff.ts";
import { Parts } from "./parts.ts";
import { readMessage } from "./read_message.ts";
import type { ConnectionState } from "./view.ts";

/** How long each step may take, in milliseconds. */
export interface Patience {
  /** To say hello. */
  readonly connect: number;
  /** Without a word before a ping is sent. */
  readonly quiet: number;
  /** For the answer to it. */
  readonly pong: number;
}

/** Where a server is, and what lets one in. */
export interface Place {
  /** `ws://host:port/ws` or `wss://…`. */
  readonly url: string;
  readonly token: string;
}

/** As much of a WebSocket as is needed here. */
export interface Socket {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: { readonly message?: unknown }) => void) | null;
  onclose:
    | ((event: { readonly code: number; readonly reason: string }) => void)
    | null;
  send(text: string): void;
  close(): void;
}

/** Opens one; throws when no try would do better. */
export type SocketMaker = (url: string, protocols: string[]) => Socket;

/** The platform's. */
export function plainSocket(url: string, protocols: string[]): Socket {
  return new WebSocket(url, protocols) as Socket;
}

/** What a connection is made of. */
export interface ConnectionInit extends Place {
  /** Where the server is by now: asked before each further try. Default: where it was. */
  readonly moved?: () => Promise<Place | undefined>;
  /** Default: plainSocket. */
  readonly socket?: SocketMaker;
  /** Default: what notices a dead network within 15 seconds. */
  readonly patience?: Partial<Patience>;
  /** Default: Math.random. */
  readonly random?: () => number;
  /** Hears all that comes, hello first. */
  readonly heard: (message: ServerMessage) => void;
  /** Hears of every change of `state`. */
  readonly changed: (state: ConnectionState) => void;
}

/** A WebSocket to the server that comes back by itself. It is online from the server's hello on. */
export class Connection {
  readonly #init: ConnectionInit;
  readonly #patience: Patience;
  #place: Place;
  #socket: Socket | undefined;
  #parts = new Parts();
  #state: ConnectionState = "connecting";
  #hello: Hello | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #heardAt = 0;
  #onlineAt = 0;
  #pingedAt = 0;
  #closed = false;
  #pings = 0;
  /** Why the last connection ended; undefined when nobody said. */
  problem: string | undefined;

  constructor(init: ConnectionInit) {
    this.#init = init;
    this.#place = { url: init.url, token: init.token };
    this.#patience = {
      connect: 10_000,
      quiet: 7_000,
      pong: 6_000,
      ...init.patience,
    };
    this.#open();
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** What the server said of itself when it was last reached. */
  get hello(): Hello | undefined {
    return this.#hello;
  }

  /** Sends when online; false when not. */
  send(message: ClientMessage): boolean {
    if (this.#state !== "online" || !this.#socket) return false;
    try {
      this.#socket.send(JSON.stringify(message));
      return true;
    } catch {
      return false; // it is closing: its close event follows
    }
  }

  /** Tries now, or asks at once whether the server is still there. */
  wake(): void {
    if (this.#closed || this.#state === "refused") return;
    if (this.#state === "online") {
      if (Date.now() - this.#heardAt > 1_000) this.#ping();
      return;
    }
    // What has only begun is not started again.
    if (this.#socket) return;
    this.#tries = 0;
    this.#open();
  }

  /** Gives the connection up and makes another one in a while. */
  again(): void {
    this.#lost();
  }

  /** Leaves for good. */
  close(): void {
    this.#closed = true;
    this.#drop();
    this.#become("offline");
  }

  #open(): void {
    this.#drop();
    this.#become("connecting");
    const { socket: make = plainSocket } = this.#init;
    const { url, token } = this.#place;
    let socket: Socket;
    try {
      socket = make(url, [PROTOCOL, `${BEARER}${token}`]);
    } catch (error) {
      // An address or a token that no WebSocket takes: no try will do better.
      this.problem = error instanceof Error ? error.message : String(error);
      return this.#become("refused");
    }
    this.#socket = socket;
    const mine = (work: () => void) => {
      if (this.#socket === socket) work();
    };
    socket.onmessage = ({ data }) => mine(() => this.#heard(data));
    socket.onerror = ({ message }) =>
      mine(() => {
        // A browser does not say why; others do.
        if (typeof message === "string" && message) this.problem = message;
      });
    socket.onclose = ({ code, reason }) =>
      mine(() => {
        if (reason) this.problem = reason;
        this.#lost(code);
      });
    this.#after(this.#patience.connect, () => this.#lost());
  }

  #heard(data: unknown): void {
    this.#heardAt = Date.now();
    const message = typeof data === "string" ? this.#read(data) : undefined;
    if (message?.type === "hello") this.#greeted(message);
    // What comes before the hello is not for us.
    if (message && this.#state === "online") this.#init.heard(message);
  }

  #read(frame: string): ServerMessage | undefined {
    const message = readMessage(frame);
    if (message?.type !== "part") return message;
    const whole = this.#parts.add(message);
    const put = whole === undefined ? undefined : readMessage(whole);
    return put?.type === "part" ? undefined : put;
  }

  #greeted(hello: Hello): void {
    this.#hello = hello;
    if (hello.token !== undefined) {
      this.#place = { ...this.#place, token: hello.token };
    }
    this.problem = undefined;
    this.#onlineAt = Date.now();
    this.#after(this.#patience.quiet, () => this.#watch());
    this.#become("online");
  }

  // One timer, not one a message: it looks when something was heard last.
  #watch(): void {
    if (this.#pingedAt > this.#heardAt) return this.#lost();
    const left = this.#patience.quiet - (Date.now() - this.#heardAt);
    if (left <= 0) this.#ping();
    else this.#after(left, () => this.#watch());
  }

  #ping(): void {
    this.#pingedAt = Date.now();
    this.send({ id: `ping-${++this.#pings}`, type: "ping" });
    this.#after(this.#patience.pong, () => this.#watch());
  }

  #lost(code?: number): void {
    const lasted = this.#state === "online" && Date.now() - this.#onlineAt;
    this.#drop();
    if (this.#closed) return;
    // A server that greets and leaves at once is not asked ever faster.
    if (lasted !== false && lasted > 5_000) this.#tries = 0;
    const refused = code === REFUSED;
    if (refused && !this.#init.moved) return this.#become("refused");
    this.#become("offline");
    this.#after(
      backoff(this.#tries++, this.#init.random),
      () => void this.#tryAgain(refused),
    );
  }

  // A server that was started anew may be elsewhere, or have another token.
  async #tryAgain(refused: boolean): Promise<void> {
    const before = this.#place;
    const tries = this.#tries;
    const now = await this.#init.moved?.().catch(() => undefined);
    if (this.#closed || tries !== this.#tries || this.#socket) return;
    this.#place = now ?? before;
    const { url, token } = this.#place;
    const same = url === before.url && token === before.token;
    if (refused && same) this.#become("refused");
    else this.#open();
  }

  // A dead network never answers the closing: nothing waits for it.
  #drop(): void {
    clearTimeout(this.#timer);
    this.#parts = new Parts();
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onmessage = socket.onerror = socket.onclose = null;
    try {
      socket.close();
    } catch { /* it never opened */ }
  }

  #after(ms: number, work: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(work, ms);
  }

  #become(state: ConnectionState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#init.changed(state);
  }
}
