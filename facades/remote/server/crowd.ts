import type { Socket } from "./listen.ts";

/** Sees to it that connections of nobody known stay few. */
export class Crowd {
  readonly #strangers = new Map<Socket, string>();
  readonly #from = new Map<string, number>();

  /** Counts a connection; false when it is one too many. */
  admit(socket: Socket): boolean {
    const from = socket.remoteAddress ?? "";
    const count = (this.#from.get(from) ?? 0) + 1;
    if (count > MAX_OF_ONE || this.#strangers.size >= MAX) return false;
    this.#strangers.set(socket, from);
    this.#from.set(from, count);
    socket.once("close", () => this.welcome(socket));
    return true;
  }

  /** It showed the token, or is gone: it counts no more. */
  welcome(socket: Socket): void {
    const from = this.#strangers.get(socket);
    if (from === undefined) return;
    this.#strangers.delete(socket);
    const left = (this.#from.get(from) ?? 1) - 1;
    if (left > 0) this.#from.set(from, left);
    else this.#from.delete(from);
  }

  /** Cuts them all. */
  close(): void {
    for (const socket of this.#strangers.keys()) socket.destroy();
  }
}

/** Connections that may be open without a token. */
const MAX = 1024;

/** Those of one address. */
const MAX_OF_ONE = 256;
