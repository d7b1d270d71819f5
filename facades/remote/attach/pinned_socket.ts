// @ts-types="@types/ws"
import { WebSocket as WS } from "ws";
import { errorLine } from "../../../core/error.ts";
import type { Socket, SocketMaker } from "../client/connection.ts";
import { trustedConnection } from "./trusted_connection.ts";

/** WebSockets to a server that shows one of the certificates in `pem`, or one that they vouch for. */
export function pinnedSocket(pem: () => string): SocketMaker {
  return class implements Socket {
    onmessage: Socket["onmessage"] = null;
    onerror: Socket["onerror"] = null;
    onclose: Socket["onclose"] = null;
    #socket: WS | undefined;
    #closed = false;

    constructor(url: string, protocols: readonly string[]) {
      void this.#open(url, protocols);
    }

    send(text: string): void {
      this.#socket?.send(text);
    }

    close(): void {
      this.#closed = true;
      this.#socket?.close();
    }

    // The token goes out with the first bytes: whom to is known before.
    async #open(url: string, protocols: readonly string[]): Promise<void> {
      try {
        const connection = await trustedConnection(url, pem());
        if (this.#closed) return void connection.destroy();
        const socket = new WS(url, [...protocols], {
          createConnection: () => connection,
        });
        this.#socket = socket;
        socket.onmessage = ({ data }) => this.#message(data);
        socket.onerror = ({ message }) => this.#error(message);
        socket.onclose = ({ code, reason }) => this.#close(code, reason);
      } catch (error) {
        this.#error(errorLine(error));
        this.#close(1006, "");
      }
    }

    #message(data: unknown): void {
      this.onmessage?.({ data });
    }

    #error(message: string): void {
      this.onerror?.({ message });
    }

    #close(code: number, reason: string): void {
      this.onclose?.({ code, reason });
    }
  };
}
