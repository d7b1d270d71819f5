import { errorLine } from "../../../core/error.ts";
import type { Socket } from "../client/connection.ts";
import { bridge } from "./bridge.ts";
import { trustedConnection } from "./trusted_connection.ts";

/** A WebSocket to a server that shows one of the certificates in `pem`, or one that they vouch for. */
export class PinnedSocket implements Socket {
  onmessage: Socket["onmessage"] = null;
  onerror: Socket["onerror"] = null;
  onclose: Socket["onclose"] = null;
  readonly #closing = new AbortController();
  #socket: WebSocket | undefined;

  constructor(url: string, protocols: readonly string[], pem: string) {
    void this.#open(url, protocols, pem);
  }

  send(text: string): void {
    this.#socket?.send(text);
  }

  close(): void {
    this.#closing.abort();
    this.#socket?.close();
  }

  // The token goes out with the first bytes: whom to is known before.
  async #open(
    url: string,
    protocols: readonly string[],
    pem: string,
  ): Promise<void> {
    const { signal } = this.#closing;
    try {
      const connection = await trustedConnection(url, pem, signal);
      if (signal.aborted) return void connection.destroy();
      const port = await bridge(connection);
      const { pathname } = new URL(url);
      const socket = new WebSocket(
        `ws://127.0.0.1:${port}${pathname}`,
        [...protocols],
      );
      this.#socket = socket;
      socket.onmessage = (event) => this.onmessage?.(event);
      socket.onerror = (event) =>
        this.onerror?.(event as { message?: unknown });
      socket.onclose = (event) => this.onclose?.(event);
      // Who closed it meanwhile ends the way it would have gone.
      if (signal.aborted) connection.destroy();
    } catch (error) {
      this.onerror?.({ message: errorLine(error) });
      this.onclose?.({ code: 1006, reason: "" });
    }
  }
}
