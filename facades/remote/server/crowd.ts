import type { Server } from "node:http";
import type { Socket } from "node:net";

/** Sees to it that connections of nobody known stay few. */
export class Crowd {
  readonly #strangers = new Map<Socket, string>();
  readonly #from = new Map<string, number>();

  /** Counts the connections of `server`; those beyond the bounds are cut. */
  watch(server: Server, event: "connection" | "secureConnection"): void {
    server.on(event, (socket: Socket) => this.#come(socket));
  }

  /** A connection showed the token: it counts no more. */
  welcome(socket: Socket): void {
    const from = this.#strangers.get(socket);
    if (from === undefined) return;
    this.#strangers.delete(socket);
    const left = (this.#from.get(from) ?? 1) - 1;
    if (left > 0) this.#from.set(from, left);
    else this.#from.delete(from);
  }

  #come(socket: Socket): void {
    const from = socket.remoteAddress ?? "";
    const count = (this.#from.get(from) ?? 0) + 1;
    if (count > MAX_OF_ONE || this.#strangers.size >= MAX) {
      socket.destroy();
      return;
    }
    this.#strangers.set(socket, from);
    this.#from.set(from, count);
    socket.once("close", () => this.welcome(socket));
  }
}

/** Connections that may be open without a token. */
const MAX = 1024;

/** Those of one address. */
const MAX_OF_ONE = 256;
