import assert from "node:assert/strict";
import { join } from "node:path";
import { mm, startMm } from "../mm.ts";
import { inProject } from "./project.ts";

/** Kills per run; set MM_KILLS for more (300 is what a release wants). */
const KILLS = Number(Deno.env.get("MM_KILLS") ?? 20);

const TURNS = [
  "write notes.txt: one",
  "read notes.txt then run echo two",
  "list then search one",
  "edit notes.txt: one -> three",
  "count to 15",
];

Deno.test("kill -9 at random moments loses no settled turn and leaves a trace of the rest", async () => {
  await inProject(async (project) => {
    // One life undisturbed tells how long a life takes, so that kills fall all over it.
    const whole = performance.now();
    await live(project, Infinity);
    const lifetime = performance.now() - whole;
    let killed = 0;
    for (let i = 0; i < KILLS; i++) {
      const seen = await live(project, Math.random() * lifetime * 1.1);
      if (seen.killed) killed++;
      await check(project, seen);
    }
    console.log(`  ${killed} of ${KILLS} were killed before their end`);
    assert.ok(killed > 0, "no kill came in time");
  });
});

interface Life {
  readonly id: string;
  /** Highest `seq` told as stored. */
  readonly seq: number;
  readonly settled: number;
  readonly open: boolean;
  readonly killed: boolean;
}

/** Runs one process of several turns and kills it after `ms`; what it had told by then. */
async function live(project: string, ms: number): Promise<Life> {
  const child = await startMm(
    ["run", "--json", "--approve", "all", TURNS.join(" then ")],
    { cwd: project },
  );
  let killed = false;
  const timer = ms === Infinity ? undefined : setTimeout(() => {
    killed = true;
    child.kill("SIGKILL");
  }, ms);
  const [{ signal }, lines, errors] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  clearTimeout(timer);
  assert.ok(!/at .*\.ts:\d+/.test(errors), errors);
  // The last line may be torn.
  const events = lines.split("\n").slice(0, -1).map((l) => JSON.parse(l));
  const durable = events.filter((e) => e.seq !== undefined);
  return {
    id: events.find((e) => e.type === "session")?.id ?? "",
    seq: durable.at(-1)?.seq ?? 0,
    settled: durable.filter((e) => e.type === "settled").length,
    open: durable.some((e) => e.message?.role === "user") &&
      !durable.some((e) => e.type === "settled" || e.type === "withdrawn"),
    killed: killed && signal === "SIGKILL",
  };
}

async function check(project: string, life: Life): Promise<void> {
  const sessions = join(project, ".mm/sessions");
  const files = [...Deno.readDirSync(sessions)].map((f) => f.name)
    .filter((name) => /^\d.*\.json$/.test(name)).sort();
  for (const name of files) {
    JSON.parse(await Deno.readTextFile(join(sessions, name)));
  }
  const newest = files.at(-1)?.slice(0, -".json".length) ?? "";
  if (life.seq === 0) return;
  const state = JSON.parse(
    await Deno.readTextFile(join(sessions, `${newest}.json`)),
  );
  assert.ok(state.seq >= life.seq, `told ${life.seq}, stored ${state.seq}`);
  assert.ok(state.turns >= life.settled, "a settled turn is missing");
  const shown = await mm(["sessions", "errors", newest, "--json"], {
    cwd: project,
  });
  const { errors } = JSON.parse(shown.stdout);
  const interrupted = errors.filter((e: { line: string }) =>
    e.line.startsWith("Interrupted")
  );
  assert.equal(interrupted.length, state.open === undefined ? 0 : 1);
  if (life.open && state.open === undefined) {
    // It settled between the last line read and the kill.
    assert.ok(state.turns > 0 || errors.length > 0);
  }
}
