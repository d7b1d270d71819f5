import assert from "node:assert/strict";
import { join } from "node:path";
import {
  anthropicServer,
  type ModelServer,
  openaiServer,
  type Step,
} from "../model_server.ts";
import { FAULTS } from "../model_server/faults.ts";
import { mm, type Outcome } from "../mm.ts";
import { TempDir } from "../temp_dir.ts";

// Answers that are whole in spite of how they end, and waits that are tested without the program.
const NO_FAULTS = new Set([
  "no-end",
  "reset-end",
  "429-now",
  "500-now",
  "429-seconds",
  "bad-arguments",
]);

// Those that the watchdog ends: it is made quick for the question that meets them alone.
const STALLED = new Set(["silent", "stall", "slow-error"]);

const SERVERS = { openai: openaiServer, anthropic: anthropicServer };

for (const [use, serve] of Object.entries(SERVERS)) {
  Deno.test(`${use}: every fault of a model is exit 1, one red line, one error record and an unchanged history`, async () => {
    const faults = Object.keys(FAULTS).filter((f) =>
      !NO_FAULTS.has(f) && (use === "openai" || f !== "error-text")
    );
    assert.ok(faults.length > 40);
    // Retries wait: let others go on meanwhile.
    const left = [...faults];
    const worker = async () => {
      for (let f = left.shift(); f; f = left.shift()) {
        await check(use, serve, f);
      }
    };
    await Promise.all([worker(), worker(), worker(), worker(), worker()]);
  });

  Deno.test(`${use}: arguments that are no JSON go back to the model, a limited number of times`, async () => {
    const bad = { fault: "bad-arguments" };
    await inProject(
      use,
      serve,
      [bad, "Sorry."],
      async ({ ask, server, read }) => {
        const { code, stdout } = await ask("read it");
        assert.deepEqual([code, stdout], [0, "Sorry.\n"]);
        const { messages, errors } = await read();
        const result = messages.find((m) => m.role === "tool");
        assert.match(result?.content ?? "", /not valid JSON/);
        assert.deepEqual(errors, []);
        assert.equal(server.requests.length, 2);
      },
    );
    await inProject(use, serve, [bad], async ({ ask, server, read }) => {
      const { code, stderr } = await ask("read it");
      assert.equal(code, 1);
      const { errors } = await read();
      assert.match(errors[0]?.line ?? "", /^Stopped: the model called read 4/);
      assert.equal(errors.length, 1);
      assert.ok(stderr.includes(errors[0]?.line ?? "-"));
      assert.ok(server.requests.length <= 5);
    });
  });
}

async function check(
  use: string,
  serve: typeof openaiServer,
  fault: string,
): Promise<void> {
  const script: Step[] = ["Fine.", { fault }];
  await inProject(use, serve, script, async ({ ask, set, server, read }) => {
    const good = await ask("a first question");
    assert.equal(good.code, 0, `${fault}: ${good.stderr}`);
    const before = await read();
    if (STALLED.has(fault)) await set({ watchdogTimeout: 1 });
    const { code, stderr } = await ask("a second question", "--session", "-1");
    const after = await read();
    const told = `${fault}: ${stderr}`;
    assert.equal(code, 1, told);
    assert.equal(after.errors.length, 1, told);
    const line = after.errors[0]?.line ?? "";
    const said = stderr.split("\n").filter((l) => l === line);
    assert.equal(said.length, 1, `${told}\nrecorded: ${line}`);
    assert.match(line, /^Cannot ask 127\.0\.0\.1:\d+: ./, told);
    assert.deepEqual(after.messages, before.messages, told);
    const requests = server.requests.length - 1;
    // A second may be over before a busy machine has sent a request.
    const least = STALLED.has(fault) ? 0 : 1;
    const fits = requests >= least && requests <= 5;
    assert.ok(fits, `${told} (${requests} requests)`);
  });
}

interface Stored {
  readonly messages: readonly { role: string; content: string }[];
  readonly errors: readonly { line: string }[];
}

/** A project whose model is on a scripted server. */
interface World {
  readonly server: ModelServer;
  ask(question: string, ...args: string[]): Promise<Outcome>;
  /** Sets options of the model for the questions to come. */
  set(options: Readonly<Record<string, unknown>>): Promise<void>;
  read(): Promise<Stored>;
}

async function inProject(
  use: string,
  serve: typeof openaiServer,
  script: readonly Step[],
  work: (world: World) => Promise<void>,
): Promise<void> {
  await using dir = await TempDir.make();
  const cwd = dir.path;
  await using server = serve(script);
  const set = (options: Readonly<Record<string, unknown>>) => {
    const model = { use, name: "m", baseURL: server.url, apiKey: "k" };
    return Deno.writeTextFile(
      join(cwd, "agent.yaml"),
      JSON.stringify({ model: { ...model, ...options } }),
    );
  };
  await set({});
  const ask = (question: string, ...args: string[]) =>
    mm(["run", ...args, question], { cwd, env: { MM_MODEL: "" } });
  await work({ server, ask, set, read: () => onlySession(cwd) });
}

async function onlySession(cwd: string): Promise<Stored> {
  const dir = join(cwd, ".mm/sessions");
  const names = (await Array.fromAsync(Deno.readDir(dir), (e) => e.name))
    .filter((name) => name.endsWith(".json"));
  assert.equal(names.length, 1);
  return JSON.parse(await Deno.readTextFile(join(dir, names[0] ?? "")));
}
