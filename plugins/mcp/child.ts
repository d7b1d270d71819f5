import { type ChildProcess, spawn } from "node:child_process";
import type { EventEmitter } from "node:events";
import process from "node:process";
import { setImmediate } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import { serverEnvironment } from "./environment.ts";
import { endGroup, type Group, watchGroup } from "./group.ts";
import type { Launch } from "./launch.ts";
import { plain } from "./plain.ts";

const STDERR_KEPT = 4000;
/** How long it has to leave by itself once its input has ended. */
const LEAVE_MS = 500;
const DRAIN_MS = 200;

/** Who hears of a child. */
export interface Listener {
  /** The next data comes when this is done. It must not throw. */
  data(chunk: Uint8Array): Promise<void>;
  /** Called once, after the last data. */
  gone(): void;
}

/** A program in a process group of its own, so that what it starts ends with it. */
export class Child {
  readonly #process: ChildProcess;
  readonly #group: Group | undefined;
  readonly #listener: Listener;
  /** Resolves once it runs; rejects with the reason when it cannot. */
  readonly started: Promise<void>;
  #ending: Promise<void> | undefined;
  #how = "";
  #stderr = "";

  constructor(launch: Launch & { type: "stdio" }, listener: Listener) {
    const { command, args, env, cwd } = launch;
    const child = spawn(command, args, {
      cwd,
      env: serverEnvironment(env),
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    this.#process = child;
    this.#group = child.pid === undefined ? undefined : watchGroup(child.pid);
    this.#listener = listener;
    this.started = new Promise((resolve, reject) => {
      child.on("spawn", resolve);
      child.on("error", (error) => reject(notStarted(error, launch)));
    });
    child.on("exit", () => this.end(this.#exit, 0));
    child.stdin?.on("error", () => {}); // its end is noticed by "exit"
    child.stdout?.on("data", async (chunk: Uint8Array) => {
      child.stdout?.pause();
      await listener.data(chunk);
      setImmediate(() => child.stdout?.resume());
    });
    child.stdout?.on("end", () => this.end("", LEAVE_MS));
    child.stderr?.on("data", (chunk: Uint8Array) => {
      this.#stderr = (this.#stderr + chunk).slice(-STDERR_KEPT);
    });
  }

  /** How it ended, if it did so by itself. */
  get how(): string {
    return this.#how;
  }

  /** The last lines of its stderr, as one. */
  get said(): string {
    return plain(this.#stderr.trim().split(/[\r\n]+/).slice(-3).join(" / "));
  }

  /** Resolves once `text` is on its way. */
  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#process;
      if (!stdin?.writable) throw new Error("It takes no input");
      stdin.write(text, (error) => error ? reject(error) : resolve());
    });
  }

  /**
   * Ends its input, waits a little, then ends its whole group. `how` says why;
   * of several reasons the first that is not empty is kept.
   */
  end(how: string, leaveMs: number = LEAVE_MS): Promise<void> {
    this.#how ||= how;
    this.#ending ??= this.#end(leaveMs);
    return this.#ending;
  }

  async #end(leaveMs: number): Promise<void> {
    const { stdin, stdout, stderr } = this.#process;
    stdin?.end();
    if (this.#group) {
      await race(once(this.#process, "exit", this.#exited), leaveMs);
      this.#how ||= this.#exit; // the event may come later
      if (!this.#exited) await endGroup(this.#group);
      // What it said last is still in the pipes.
      const pipes = [stdout, stderr].map((s) =>
        s && once(s, "close", s.closed)
      );
      await race(Promise.all(pipes), DRAIN_MS);
    }
    for (const stream of [stdin, stdout, stderr]) stream?.destroy();
    this.#listener.gone();
    if (this.#group) await endGroup(this.#group); // what it left behind
  }

  get #exit(): string {
    const { exitCode, signalCode } = this.#process;
    if (signalCode !== null) return `it was ended by ${signalCode}`;
    return exitCode === null ? "" : `it exited with code ${exitCode}`;
  }

  get #exited(): boolean {
    const { exitCode, signalCode } = this.#process;
    return exitCode !== null || signalCode !== null;
  }
}

async function once(
  emitter: EventEmitter,
  event: string,
  already: boolean,
): Promise<void> {
  if (already) return;
  await new Promise<void>((resolve) => emitter.once(event, resolve));
}

async function race(work: Promise<unknown>, ms: number): Promise<void> {
  const timer = new AbortController();
  const end = delay(ms, undefined, { signal: timer.signal }).catch(() => {});
  await Promise.race([work, end]);
  timer.abort();
}

function notStarted(
  error: Error,
  { command, cwd }: Launch & { type: "stdio" },
): Error {
  const { code } = error as NodeJS.ErrnoException;
  const shown = plain(command, 100);
  if (code === "ENOENT") {
    const folder = plain(cwd, 200);
    return new Error(`there is no command "${shown}" (started in ${folder})`);
  }
  if (code === "EACCES") return new Error(`"${shown}" may not be run`);
  return new Error(`"${shown}" cannot be started: ${plain(error.message)}`);
}
