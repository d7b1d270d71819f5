import type { Buffer } from "node:buffer";
// @ts-types="@types/ws"
import type { WebSocket } from "ws";
import { Queue } from "../../../core/queue.ts";
import { giveFrame } from "./frame_pool.ts";

/**
 * What is to be sent to one client, in order and within a bound. What it has no
 * room for waits here: a frame that goes to many clients is in memory once,
 * however many of them do not read.
 */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #bound: number;
  readonly #waiting = new Queue<Buffer | Iterator<Buffer> | (() => void)>();
  #bytes = 0; // of messages that wait, or are on their way
  #longest = 0; // of the messages since there were none
  #onTheWay = 0; // of all frames, those of streams too
  #streams = 0;
  #gone = false;

  /**
   * A client for whom more than `bound` bytes wait is cut off: it reads too
   * slowly. One long message is no reason, or all would be cut off by it.
   */
  constructor(socket: WebSocket, bound: number) {
    this.#socket = socket;
    this.#bound = bound;
  }

  /** How many streams are not at their end. */
  get streams(): number {
    return this.#streams;
  }

  /** Sends the frames of a message after all that came before. */
  send(frames: readonly Buffer[]): void {
    if (this.#gone) return;
    const bytes = frames.reduce((sum, frame) => sum + frame.length, 0);
    this.#longest = Math.max(bytes, this.#bytes > 0 ? this.#longest : 0);
    this.#bytes += bytes;
    for (const frame of frames) this.#waiting.push(frame);
    this.#go();
    if (this.#bytes > this.#bound + this.#longest) this.cutOff();
  }

  /** Sends frames that are made only when the client has read those before; their memory is used again. */
  stream(frames: Iterable<Buffer>): void {
    if (this.#gone) return;
    this.#streams++;
    this.#waiting.push(frames[Symbol.iterator]());
    this.#go();
  }

  /** Calls `over` once all that came before is on its way. */
  end(over: () => void): void {
    if (this.#gone) return;
    this.#waiting.push(over);
    this.#go();
  }

  /** Ends the connection without a word, and frees what waits. */
  cutOff(): void {
    this.close();
    this.#socket.terminate();
  }

  /** Sends nothing more. */
  close(): void {
    this.#gone = true;
    while (this.#waiting.size > 0) this.#waiting.shift();
  }

  /** Hands on what there is room for. */
  #go(): void {
    while (!this.#gone && this.#onTheWay < WINDOW) {
      const next = this.#waiting.at(0);
      if (!next) return;
      if ("next" in next) {
        this.#step(next);
        continue;
      }
      this.#waiting.shift();
      if (typeof next === "function") next();
      else this.#write(next, () => this.#bytes -= next.length);
    }
  }

  #step(stream: Iterator<Buffer>): void {
    const { value: frame, done } = stream.next();
    if (!done) return this.#write(frame, () => giveFrame(frame));
    this.#waiting.shift();
    this.#streams--;
  }

  #write(frame: Buffer, sent: () => void): void {
    const { length } = frame;
    this.#onTheWay += length;
    this.#socket.send(frame, TEXT, () => {
      this.#onTheWay -= length;
      sent();
      this.#go();
    });
  }
}

const TEXT = { binary: false };

/** How much may be on its way to a client; of what waits there it is made into packets, for each client anew. */
const WINDOW = 64 * 1024;
