import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import type { WebSocket } from "ws";
import { giveFrame } from "./frame_pool.ts";

/** What is to be sent to one client, in order and within a bound. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #bound: number;
  readonly #waiting: (Buffer | Iterator<Buffer>)[] = [];
  #bytes = 0; // of the frames among them
  #streams = 0;
  #written = 0; // by a stream, and not on its way yet
  #room: (() => void) | undefined;
  #gone = false;

  /** A client for whom more than `bound` bytes wait is cut off: it reads too slowly. */
  constructor(socket: WebSocket, bound: number) {
    this.#socket = socket;
    this.#bound = bound;
  }

  /** How many streams are not at their end. */
  get streams(): number {
    return this.#streams;
  }

  /** Sends a frame after all that came before. */
  send(frame: Buffer): void {
    if (this.#gone) return;
    if (this.#waiting.length === 0) this.#write(frame);
    else {
      this.#waiting.push(frame);
      this.#bytes += frame.length;
    }
    // What is left of a stream was made for this client's pace.
    const live = this.#socket.bufferedAmount - this.#written;
    if (this.#bytes + Math.max(0, live) > this.#bound) this.cutOff();
  }

  /** Sends frames that are made only when the client has read those before; their memory is used again. */
  stream(frames: Iterable<Buffer>): void {
    if (this.#gone) return;
    this.#streams++;
    this.#waiting.push(frames[Symbol.iterator]());
    if (this.#waiting.length === 1) void this.#run();
  }

  /** Ends the connection without a word, and frees what waits. */
  cutOff(): void {
    this.close();
    this.#socket.terminate();
  }

  /** Sends nothing more. */
  close(): void {
    this.#gone = true;
    this.#waiting.length = 0;
    this.#bytes = 0;
    this.#room?.();
  }

  async #run(): Promise<void> {
    for (;;) {
      const [head] = this.#waiting;
      if (!head || this.#gone) return;
      if (!("next" in head)) {
        this.#waiting.shift();
        this.#bytes -= head.length;
        this.#write(head);
        continue;
      }
      const { value, done } = head.next();
      if (done) {
        this.#waiting.shift();
        this.#streams--;
      } else await this.#writeWithRoom(value);
    }
  }

  async #writeWithRoom(frame: Buffer): Promise<void> {
    this.#written += frame.length;
    const { length } = frame;
    this.#socket.send(frame, TEXT, () => {
      this.#written -= length;
      giveFrame(frame);
      if (this.#written <= WINDOW) this.#room?.();
    });
    if (this.#written <= WINDOW) return;
    await new Promise<void>((resolve) => this.#room = resolve);
    this.#room = undefined;
  }

  #write(frame: Buffer): void {
    this.#socket.send(frame, TEXT);
  }
}

const TEXT = { binary: false };

/** How much of a stream may be on its way. */
const WINDOW = 1024 * 1024;
