import { readdir, readFile } from "node:fs/promises";
import process from "node:process";

/** The environment variable by which a job's processes are known, even outside its group. */
export const RUN_ID = "MM_RUN_ID";

const GRACE_MS = 2000;
const STEP_MS = 20;

/** Ends a process group: TERM, up to two seconds, KILL. */
export async function endGroup(
  pgid: number,
  what: "all" | "strays",
): Promise<void> {
  if (!await groupLives(pgid)) return;
  send(pgid, "SIGTERM");
  if (what === "all") send(pgid, "SIGCONT"); // a stopped process cannot obey
  const until = performance.now() + GRACE_MS;
  for (let wait = STEP_MS; performance.now() < until; wait *= 1.5) {
    await sleep(Math.min(wait, 300));
    if (!await groupLives(pgid)) return;
  }
  send(pgid, "SIGKILL");
}

/** True when the group has a process that runs. */
export async function groupLives(pgid: number): Promise<boolean> {
  try {
    process.kill(-pgid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
  if (process.platform !== "linux") return true;
  // Where nobody reaps orphans, dead ones still count as members.
  return (await processes()).some((p) => p.pgid === pgid && p.alive);
}

/** Kills what left the group but still carries the job's id (Linux). */
export async function endEscaped(runId: string): Promise<void> {
  if (process.platform !== "linux") return;
  const mark = `${RUN_ID}=${runId}`;
  for (let round = 0; round < 3; round++) {
    const found = (await marked(mark)).filter((pid) => pid !== process.pid);
    if (found.length === 0) return;
    for (const pid of found) send(-pid, "SIGKILL");
    await sleep(STEP_MS);
  }
}

interface Proc {
  readonly pgid: number;
  readonly alive: boolean;
}

async function processes(): Promise<Proc[]> {
  const all = await Promise.all((await pids()).map(async (pid) => {
    const stat = await contents(`/proc/${pid}/stat`);
    // The name in brackets may hold anything: fields start after the last one.
    const [state = "X", , pgid = "0"] = stat.slice(stat.lastIndexOf(")") + 2)
      .split(" ");
    return { pgid: Number(pgid), alive: !/[ZX]/.test(state) };
  }));
  return all;
}

async function marked(mark: string): Promise<number[]> {
  const all = await Promise.all((await pids()).map(async (pid) => {
    const environment = await contents(`/proc/${pid}/environ`);
    return environment.split("\0").includes(mark) ? Number(pid) : 0;
  }));
  return all.filter((pid) => pid > 0);
}

async function pids(): Promise<string[]> {
  return (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
}

async function contents(path: string): Promise<string> {
  try {
    return await readFile(path, "latin1");
  } catch {
    return ""; // gone, or another user's
  }
}

// Positive: a group; negative: one process.
function send(pgid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pgid, signal);
  } catch {
    // gone, or another user's: nothing to do about either
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
