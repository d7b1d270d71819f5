import type { Transport } from "@modelcontextprotocol/sdk/shared/transport";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type ChildProcess, spawn } from "node:child_process";
import type { EventEmitter } from "node:events";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { serverEnvironment } from "./environment.ts";
import { endGroup, type Group, watchGroup } from "./group.ts";
import type { Launch } from "./launch.ts";
import { Lines } from "./lines.ts";
import { plain } from "./plain.ts";

/** Images come as base64 in one line. */
const MAX_LINE = 32 * 1024 * 1024;
const STDERR_KEPT = 4000;
/** How long a server has to leave by itself once its input has ended. */
const LEAVE_MS = 500;
const DRAIN_MS = 200;

/**
 * A server that is our child, in a process group of its own, so that what it
 * starts ends with it.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #launch: Launch & { type: "stdio" };
  readonly #lines = new Lines(MAX_LINE);
  #child: ChildProcess | undefined;
  #group: Group | undefined;
  #ending: Promise<void> | undefined;
  #closed = false;
  #how = ""; // how it ended by itself
  #stderr = "";
  #noise = "";

  constructor(launch: Launch & { type: "stdio" }) {
    this.#launch = launch;
  }

  /** What is known of a failure: how the process ended, what it printed. */
  get evidence(): string {
    const said = this.#stderr.trim().split(/[\r\n]+/).slice(-3).join(" / ");
    return [
      this.#how,
      this.#noise && `it printed to stdout what is no JSON-RPC: ${this.#noise}`,
      said && `stderr: ${plain(said)}`,
    ].filter(Boolean).join("; ");
  }

  /** Resolves once the process runs. */
  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#launch;
    const child = spawn(command, args, {
      cwd,
      env: serverEnvironment(env),
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#child = child;
    if (child.pid !== undefined) this.#group = watchGroup(child.pid);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.on("spawn", resolve);
    child.on("error", (error) => {
      reject(
        new Error(notStarted(error, this.#launch), { cause: error.message }),
      );
    });
    child.on("exit", (code, signal) => {
      const how = signal
        ? `was ended by ${signal}`
        : `exited with code ${code}`;
      if (!this.#closed) this.#how ||= `it ${how}`;
      this.#end(0);
    });
    child.stdin?.on("error", () => {}); // its end is noticed by "exit"
    child.stdout?.on("data", (chunk: Uint8Array) => this.#read(chunk));
    child.stdout?.on("end", () => this.#end(LEAVE_MS));
    child.stderr?.on("data", (chunk: Uint8Array) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_KEPT);
    });
    await promise;
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child ?? {};
      if (!stdin?.writable) throw new Error("The server takes no input");
      stdin.write(
        `${JSON.stringify(message)}\n`,
        (error) => error ? reject(error) : resolve(),
      );
    });
  }

  /** Ends its input, waits a little, then ends its whole group. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#end(LEAVE_MS);
  }

  #read(chunk: Uint8Array): void {
    try {
      for (const line of this.#lines.push(chunk)) this.#take(line);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#how ||= error.message;
      this.#end(0);
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
      return;
    }
    this.onmessage?.(message);
  }

  #end(leaveMs: number): Promise<void> {
    this.#ending ??= this.#stop(leaveMs);
    return this.#ending;
  }

  async #stop(leaveMs: number): Promise<void> {
    const child = this.#child;
    child?.stdin?.end();
    if (child && this.#group) {
      await race(once(child, "exit", hasExited(child)), leaveMs);
      if (!hasExited(child)) await endGroup(this.#group);
      // What it said last is still in the pipes.
      const { stdout, stderr } = child;
      await race(
        Promise.all(
          [stdout, stderr].map((s) => s && once(s, "close", s.closed)),
        ),
        DRAIN_MS,
      );
    }
    child?.stdin?.destroy();
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    this.onclose?.();
    if (this.#group) await endGroup(this.#group); // what it left behind
  }
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function once(
  emitter: EventEmitter,
  event: string,
  already: boolean,
): Promise<void> {
  if (already) return;
  await new Promise<void>((resolve) => emitter.once(event, resolve));
}

async function race(work: Promise<unknown> | undefined, ms: number) {
  const timer = new AbortController();
  const end = delay(ms, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([work, end]);
  timer.abort();
}

function notStarted(
  error: Error,
  { command, cwd }: Launch & { type: "stdio" },
) {
  const { code } = error as NodeJS.ErrnoException;
  const shown = plain(command, 100);
  if (code === "ENOENT") {
    return `there is no command "${shown}" (started in ${plain(cwd, 200)})`;
  }
  if (code === "EACCES") return `"${shown}" may not be run`;
  return `"${shown}" could not be started: ${plain(error.message)}`;
}
