import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import type { RawData, WebSocket } from "ws";
import type { Answers, Sender } from "./answer.ts";
import { Bucket } from "./bucket.ts";
import { frames } from "./frames.ts";
import { Outbox } from "./outbox.ts";
import { idOf, readMessage } from "./read_message.ts";
import { refusal, Refused } from "./refused.ts";
import type { Served, Watcher } from "./served.ts";
import {
  type Ack,
  type ClientMessage,
  type Hello,
  MAX_MESSAGE,
  type ServerMessage,
} from "../wire.ts";

/** What a client is given. */
export interface ClientInit {
  readonly socket: WebSocket;
  readonly answers: Answers;
  readonly hello: Hello;
  /** Bytes that may wait for it. */
  readonly buffer: number;
}

/** One connection, from its hello to its end. It shows one session at a time. */
export class Client implements Sender, Watcher {
  readonly #socket: WebSocket;
  readonly #answers: Answers;
  readonly #outbox: Outbox;
  readonly #rate = new Bucket(RATE);
  readonly #patience = new Bucket(PATIENCE);
  #served: Served | undefined;
  #working = 0;
  #alive = true;
  #deaf = false;
  #closed = false;

  constructor({ socket, answers, hello, buffer }: ClientInit) {
    this.#socket = socket;
    this.#answers = answers;
    this.#outbox = new Outbox(socket, buffer);
    socket.on("message", (data, isBinary) => this.#read(data, isBinary));
    socket.on("pong", () => this.#alive = true);
    socket.on("error", () => {}); // a close follows
    socket.on("close", () => this.#leave());
    this.tell(hello);
  }

  /** Cuts the client off when it did not answer the last time, else asks whether it is there. */
  check(): void {
    if (!this.#alive) return this.#outbox.cutOff();
    this.#alive = false;
    this.#socket.ping();
  }

  /**
   * Hears and answers nothing more, for the server stops: what has no answer
   * is sent again when there is one.
   */
  deafen(): void {
    this.#deaf = true;
  }

  /** Says that the server leaves, after all that was said before. */
  leave(): void {
    this.#outbox.end(() => this.#socket.close(1001, "The server stops"));
  }

  /** Cuts the connection, whatever is on its way. */
  cutOff(): void {
    this.#outbox.cutOff();
  }

  tell(message: ServerMessage): void {
    if (!this.#deaf) this.send(frames(message));
  }

  send(all: readonly Buffer[]): void {
    this.#outbox.send(all);
  }

  stream(all: Iterable<Buffer>): void {
    this.#outbox.stream(all);
  }

  shown(session: string): Served | undefined {
    return this.#served?.wentOnFrom(session) ? this.#served : undefined;
  }

  show(
    served: Served,
    told: Ack,
    known: { readonly since?: number; readonly epoch?: string } = {},
  ): void {
    if (this.#closed) return;
    if (this.#outbox.streams >= MAX_STREAMS) {
      throw new Refused("too_many", "Cannot attach: a replay is still read");
    }
    if (this.#served !== served) this.#served?.detach(this);
    this.#served = served;
    this.tell(told);
    served.attach(this, known);
  }

  #read(data: RawData, isBinary: boolean): void {
    if (this.#closed || this.#deaf) return;
    this.#alive = true;
    const bytes = data as Buffer; // as the server asks for it
    if (!this.#rate.take()) return this.#tooFast(idOf(head(bytes)));
    if (isBinary) {
      return this.#refuse(new Refused("bad_message", "Cannot read: not text"));
    }
    if (bytes.length > MAX_MESSAGE) {
      const most = `a message has ${MAX_MESSAGE} bytes at most`;
      const error = new Refused("too_large", `Cannot read: ${most}`);
      return this.#refuse(error, idOf(head(bytes)));
    }
    const text = bytes.toString();
    let message: ClientMessage;
    try {
      message = readMessage(text);
    } catch (error) {
      return this.#refuse(error, idOf(text));
    }
    void this.#answer(message);
  }

  async #answer(message: ClientMessage): Promise<void> {
    if (this.#working >= MAX_WORKING) {
      const most = `${MAX_WORKING} messages are not answered yet`;
      const error = new Refused("too_many", `Cannot take more: ${most}`);
      return this.#refuse(error, message.id);
    }
    this.#working++;
    try {
      await this.#answers.answer(message, this);
    } catch (error) {
      this.#refuse(error, message.id);
    } finally {
      this.#working--;
    }
  }

  // Who goes on and on is not even told.
  #tooFast(id: string | undefined): void {
    if (this.#patience.take()) {
      const slow = new Refused("too_many", "Cannot take more: slow down");
      return this.#refuse(slow, id);
    }
    this.#socket.close(1008, "Too many messages");
    this.#leave();
  }

  #refuse(error: unknown, id?: string): void {
    if (!this.#closed) this.tell(refusal(error, id));
  }

  #leave(): void {
    this.#closed = true;
    this.#outbox.close();
    this.#served?.detach(this);
    this.#served = undefined;
  }
}

function head(bytes: Buffer): string {
  return bytes.toString("latin1", 0, 1000);
}

/** Messages a client may send at once, and a second from then on. */
const RATE = { size: 1000, perSecond: 100 };

/** Messages beyond that which are refused before it is cut off. */
const PATIENCE = { size: 1000, perSecond: 10 };

/** Messages that may wait for their answer. */
const MAX_WORKING = 256;

/** Replays that may be under way for one client. */
const MAX_STREAMS = 4;
