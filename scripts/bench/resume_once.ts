import { JsonStore } from "../../plugins/json/json_store.ts";

// Resumes one session, adds a turn as its user would, and tells how much memory that took.
const [dir = "", id = ""] = Deno.args;
await using store = new JsonStore(dir);
const state = await store.read(id);
if (!state) throw new Error(`Cannot resume ${id}: there is no such session`);
const seq = state.seq + 1;
const at = new Date().toISOString();
const message = { role: "user", id: "q", content: "Go on" } as const;
await store.append(id, [{ type: "message", message, seq, at }]);
console.log(peakMemory());

function peakMemory(): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
