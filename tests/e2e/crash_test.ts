import assert from "node:assert/strict";
import { join } from "node:path";
import { mm, startMm } from "../mm.ts";
import { inProject } from "./project.ts";

/** Kills per run; a release is tried with MM_KILLS=300. */
const KILLS = Number(Deno.env.get("MM_KILLS") ?? 12);

const QUESTION = [
  "write notes.txt: one",
  "read notes.txt",
  "run echo two",
  "search one",
  "edit notes.txt: one -> three",
  "count to 15",
].join(" then ");

Deno.test("kill -9 at random moments loses no settled turn and leaves a trace of the rest", async () => {
  await inProject(async (project) => {
    // An undisturbed life tells how long one takes, so that kills fall all over it.
    let { took } = await live(project, Infinity);
    let killed = 0;
    let lives = 0;
    // A kill that comes after the end does not count: go on until enough came in time.
    for (; killed < KILLS && lives < KILLS * 10; lives++) {
      const resume = lives % 3 > 0;
      const before = resume ? await newest(project) : undefined;
      const life = await live(project, Math.random() * took * 1.1, resume);
      if (life.killed) killed++;
      else took = life.took; // the machine is not always as busy
      await check(project, life, before);
    }
    console.log(`  ${killed} kills in ${lives} lives`);
    assert.equal(killed, KILLS);
  });
});

/** What a process had told by the time it was killed. */
interface Life {
  readonly id: string;
  readonly asked: boolean;
  /** Highest `seq` told as stored. */
  readonly seq: number;
  readonly settled: number;
  readonly failed: number;
  readonly killed: boolean;
  /** In milliseconds. */
  readonly took: number;
}

async function live(
  project: string,
  ms: number,
  resume = false,
): Promise<Life> {
  const session = resume ? ["--session", "-1"] : [];
  const start = performance.now();
  const child = await startMm(
    ["run", "--json", "--approve", "all", ...session, QUESTION],
    { cwd: project },
  );
  const timer = ms === Infinity ? undefined : setTimeout(() => {
    child.kill("SIGKILL");
  }, ms);
  const [{ signal, code }, lines, said] = await Promise.all([
    child.status,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  clearTimeout(timer);
  assert.ok(signal === "SIGKILL" || code === 0, `ended with ${code}: ${said}`);
  // The last line may be torn.
  const updates = lines.split("\n").slice(0, -1).map((l) => JSON.parse(l));
  const events = updates.filter((u) => u.seq !== undefined);
  const count = (type: string) => events.filter((e) => e.type === type).length;
  return {
    id: updates.findLast((u) => u.type === "session")?.id ?? "",
    asked: events.some((e) => e.message?.role === "user"),
    seq: events.at(-1)?.seq ?? 0,
    settled: count("settled"),
    failed: count("failed"),
    killed: signal === "SIGKILL",
    took: performance.now() - start,
  };
}

// The parts of a session file that are looked at.
interface Stored {
  readonly id: string;
  readonly seq: number;
  readonly turns: number;
  readonly open?: number;
  readonly errors: readonly { readonly line: string }[];
}

async function check(
  project: string,
  life: Life,
  before: Stored | undefined,
): Promise<void> {
  const all = await stored(project);
  if (!life.asked) return;
  const state = all.find((s) => s.id === life.id);
  assert.ok(state, `the file of ${life.id} is gone`);
  assert.ok(state.seq >= life.seq, `told ${life.seq}, stored ${state.seq}`);
  const turns = (before?.turns ?? 0) + life.settled;
  assert.ok(state.turns >= turns, `told ${turns} turns, found ${state.turns}`);
  // Whatever is not settled is traced for every reader, and the file is not touched for it.
  const shown = await mm(["sessions", "errors", life.id, "--json"], {
    cwd: project,
  });
  const errors = JSON.parse(shown.stdout);
  const unsettled = state.open === undefined ? 0 : 1;
  assert.equal(errors.length, state.errors.length + unsettled, shown.stdout);
  if (unsettled) assert.match(errors.at(-1).line, /^Interrupted/);
  assert.deepEqual(
    (await stored(project)).map((s) => s.seq),
    all.map((s) => s.seq),
  );
}

async function newest(project: string): Promise<Stored | undefined> {
  const listed = await mm(["sessions", "list", "--json", "--limit", "1"], {
    cwd: project,
  });
  const id = JSON.parse(listed.stdout)[0]?.id;
  return (await stored(project)).find((s) => s.id === id);
}

/** Every session file, parsed whole; one that does not parse fails the test. */
async function stored(project: string): Promise<Stored[]> {
  const sessions = join(project, ".mm/sessions");
  const found: Stored[] = [];
  for await (const { name } of Deno.readDir(sessions)) {
    if (!/^\d.*\.json$/.test(name)) continue;
    found.push(JSON.parse(await Deno.readTextFile(join(sessions, name))));
  }
  return found.sort((a, b) => a.id < b.id ? -1 : 1);
}
