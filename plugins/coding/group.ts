import type { Buffer } from "node:buffer";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import process from "node:process";
import { soon } from "../../core/soon.ts";
import { endEscaped, endGroup, groupLives, RUN_ID } from "./ending.ts";

/** A command to run in a process group of its own. */
export interface Job {
  readonly shell: string;
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly timeoutMs: number;
  onData(bytes: Uint8Array): void;
}

/** How a job ended. */
export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stopped?: "timeout" | "cancelled" | "flood";
  /** Processes of the group outlived the command and were ended. */
  readonly strays: boolean;
}

const QUIET_MS = 300; // without output once the shell is gone: what is left holds the pipe only
const DRAIN_MS = 3000; // at most, however much still comes
const MAX_BYTES = 256 * 1024 * 1024;

/** Runs a job to its end; nothing of its group is left afterwards. */
export async function runJob(job: Job, signal: AbortSignal): Promise<Ended> {
  signal.throwIfAborted();
  const child = await start(job);
  const pid = child.pid ?? 0;
  const exit = exited(child);
  const stop = Promise.withResolvers<NonNullable<Ended["stopped"]>>();
  const drained = drain(child, job, () => stop.resolve("flood"));
  const timer = setTimeout(() => stop.resolve("timeout"), job.timeoutMs);
  const cancel = () => stop.resolve("cancelled");
  signal.addEventListener("abort", cancel);
  try {
    const stopped = await Promise.race([exit.then(() => {}), stop.promise]);
    const strays = await groupLives(pid);
    if (!stopped && strays) await drained.quiet();
    await endGroup(pid, stopped === undefined ? "strays" : "all");
    if (stopped) await endEscaped(job.runId);
    const [code, name] = await exit;
    await drained.quiet();
    return {
      code,
      signal: name,
      ...(stopped ? { stopped } : {}),
      strays: stopped === undefined && strays,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
    child.stdout?.destroy();
  }
}

function start(job: Job): Promise<ChildProcess> {
  const { shell, command, cwd, env, runId } = job;
  // One pipe for both streams, or their order would be lost.
  const both = ["-c", 'exec "$0" -c "$1" 2>&1', shell, command];
  const child = spawn(shell, both, {
    cwd,
    env: { ...env, [RUN_ID]: runId },
    detached: true, // a session and a group of its own, no terminal
    stdio: ["ignore", "pipe", "ignore"],
  });
  return new Promise((resolve, reject) => {
    child.once("spawn", () => resolve(child));
    child.once("error", (error) => reject(explain(error, cwd)));
  });
}

// A folder that is gone is reported as if the shell were.
function explain(error: Error, cwd: string): Error {
  try {
    Deno.statSync(cwd);
    return error;
  } catch {
    return new Error(`Cannot find the folder "${cwd}"`, { cause: error });
  }
}

function exited(
  child: ChildProcess,
): Promise<[number | null, string | null]> {
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => resolve([code, signal]));
  });
}

// A process that left the group may hold a pipe open for ever, so "quiet"
// stands for "closed".
function drain(
  child: ChildProcess,
  job: Job,
  flood: () => void,
): { quiet(): Promise<void> } {
  let size = 0;
  const pipe = child.stdout;
  const closed = new Promise<true>((resolve) => {
    if (!pipe) return resolve(true);
    pipe.on("data", (bytes: Buffer) => {
      const before = size;
      size += bytes.length;
      if (before > MAX_BYTES) return;
      if (size > MAX_BYTES) flood();
      job.onData(bytes);
    });
    for (const end of ["end", "error", "close"]) {
      pipe.on(end, () => resolve(true));
    }
  });
  return {
    async quiet() {
      const until = performance.now() + DRAIN_MS;
      for (let before = -1; before !== size && performance.now() < until;) {
        before = size;
        if (await soon(closed, QUIET_MS) !== "late") return;
      }
    },
  };
}

let known: Promise<string> | undefined;

/** `bash` where there is one, else `sh`. */
export function findShell(): Promise<string> {
  known ??= (async () => {
    for (const folder of (process.env.PATH ?? "").split(":")) {
      if (!folder.startsWith("/")) continue;
      try {
        if ((await Deno.stat(`${folder}/bash`)).isFile) return `${folder}/bash`;
      } catch {
        continue; // not in this folder
      }
    }
    return "/bin/sh";
  })();
  return known;
}
