import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

/** A process of its own group, with all it started. */
export interface Group {
  readonly pid: number;
}

const live = new Set<Group>();

/** Notes a group that must not outlive this program. */
export function watchGroup(pid: number): Group {
  if (!watching) {
    watching = true;
    // Both: `Deno.exit` dispatches the one, a runtime without it the other.
    globalThis.addEventListener("unload", killAll);
    process.on("exit", killAll);
  }
  const group = { pid };
  live.add(group);
  return group;
}

let watching = false;

/** Asks all of a group to end, and kills what is left of it after `patienceMs`. */
export async function endGroup(
  group: Group,
  patienceMs = 1000,
): Promise<void> {
  if (!live.has(group)) return;
  signal(group, "SIGTERM");
  for (let waited = 0; isAlive(group) && waited < patienceMs; waited += 20) {
    await delay(20);
  }
  signal(group, "SIGKILL");
  live.delete(group);
}

function killAll(): void {
  for (const group of live) signal(group, "SIGKILL");
  live.clear();
}

function isAlive(group: Group): boolean {
  return signal(group, 0);
}

/** False when nobody is left. */
function signal({ pid }: Group, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    // Windows has no groups; there the process itself is all we reach.
    process.kill(process.platform === "win32" ? pid : -pid, name);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "EPERM"; // it is there, and not ours to kill
  }
}
