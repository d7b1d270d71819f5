import { setImmediate as immediate } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";

import { errorLine } from "../../core/error.ts";
import { Child } from "./child.ts";
import type { Launch } from "./launch.ts";
import { Lines } from "./lines.ts";
import { plain } from "./plain.ts";

/** Images come as base64 in one line. */
const MAX_LINE = 32 * 1024 * 1024;

/** A flood is read in slices: between them timers and signals get their turn. */
const SLICE_MS = 10;

/** Lines that are no message, one after the other: more are a flood. */
const MAX_NOISE = 10_000;

/** MCP over the stdin and stdout of a child, one message a line. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #launch: Launch & { type: "stdio" };
  readonly #lines = new Lines(MAX_LINE);
  #child: Child | undefined;
  #closed = false;
  #deaf = false; // what it still says, nobody reads
  #how = "";
  #noise = "";
  #noisy = 0; // lines since the last message

  constructor(launch: Launch & { type: "stdio" }) {
    this.#launch = launch;
  }

  /** What is known of a failure: how the process ended, what it printed. */
  get evidence(): string {
    const said = this.#child?.said;
    return [
      this.#how,
      this.#noise && `it printed to stdout what is no JSON-RPC: ${this.#noise}`,
      said && `stderr: ${said}`,
    ].filter(Boolean).join("; ");
  }

  async start(): Promise<void> {
    const child = new Child(this.#launch, {
      data: (chunk) => this.#read(chunk),
      gone: () => {
        if (!this.#closed) this.#how = child.how;
        this.onclose?.();
      },
    });
    this.#child = child;
    await child.started;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#child?.write(`${JSON.stringify(message)}\n`);
    } catch (error) {
      await this.#child?.end(""); // it is gone: how, says more than the pipe
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = this.#deaf = true; // how it ends now is our doing
    await this.#child?.end("");
  }

  async #read(chunk: Uint8Array): Promise<void> {
    let pause = performance.now() + SLICE_MS;
    try {
      for (const line of this.#lines.push(chunk)) {
        if (this.#deaf) return;
        this.#take(line);
        if (performance.now() < pause) continue;
        await immediate();
        pause = performance.now() + SLICE_MS;
      }
    } catch (error) {
      // Nothing a server sends may end the program that listens to it.
      this.#deaf = true;
      this.#child?.end(errorLine(error), 0);
    }
  }

  #take(line: string): void {
    if (line.trim() === "") return;
    let message: JSONRPCMessage;
    try {
      message = JSONRPCMessageSchema.parse(JSON.parse(line));
    } catch {
      // Programs print to stdout what they should not; it is told if all fails.
      this.#noise ||= JSON.stringify(plain(line, 100));
      if (++this.#noisy > MAX_NOISE) throw new RangeError("it never stops");
      return;
    }
    this.#noisy = 0;
    this.onmessage?.(message);
  }
}
