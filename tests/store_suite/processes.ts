import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Store } from "../../core/store.ts";
import { history, opened, question, sessionId } from "./histories.ts";
import { openForTest } from "./open.ts";
import { removeDir } from "../temp_dir.ts";

/** How often, and what else must hold. */
export interface ProcessOptions {
  /** Appends of each of two processes. */
  readonly appends: number;
  /** Rounds of kill -9. */
  readonly kills: number;
  /** Looks at what a killed process left; throws when it is not whole. */
  readonly check?: (project: string) => void | Promise<void>;
}

/**
 * Registers what a durable built-in store must stand among processes.
 * MM_APPENDS and MM_KILLS make it longer.
 */
export function processSuite(name: string, options: ProcessOptions): void {
  const appends = fromEnv("MM_APPENDS", options.appends);
  const kills = fromEnv("MM_KILLS", options.kills);
  const ignore = Deno.build.os === "windows";

  Deno.test(`${name}: two processes that append ${appends} times each lose nothing and double nothing`, async () => {
    await using lab = await ProcessLab.create(name);
    const ends = await Promise.all(
      ["a", "b"].map((who, i) =>
        lab.writer(who, { ids: [shared, sessionId(10 + i)], count: appends })
          .output()
      ),
    );
    for (const { code, stderr } of ends) {
      assert.equal(new TextDecoder().decode(stderr), "");
      assert.equal(code, 0);
    }
    await using store = await lab.open();
    const ids = [shared, sessionId(10), sessionId(11)];
    const states = await Promise.all(ids.map((id) => store.read(id)));
    const said = states.flatMap((s) => s?.messages.map((m) => m.id) ?? []);
    assert.equal(said.length, 2 * appends);
    assert.equal(new Set(said).size, 2 * appends);
    for (const state of states) inOrder(state?.messages ?? []);
    await options.check?.(lab.project);
  });

  Deno.test(
    `${name}: kill -9 at any moment, ${kills} times, loses no acknowledged event`,
    {
      ignore,
    },
    async () => {
      await using lab = await ProcessLab.create(name);
      const acknowledged: string[] = [];
      for (let round = 0; round < kills; round++) {
        const child = lab.writer(`r${round}`, {
          ids: [shared],
          count: 100_000,
          long: 200_000,
        });
        acknowledged.push(
          ...await linesUntilKilled(child, 1 + Math.random() * 60),
        );
        await using store = await lab.open();
        const state = await store.read(shared);
        const ids = new Set(state?.messages.map((m) => m.id));
        for (const one of acknowledged) assert(ids.has(one), `${one} is lost`);
        const { items } = await store.list();
        assert.equal(items[0]?.updatedAt, state?.updatedAt);
        assert.equal(items[0]?.unreadable, undefined);
      }
      assert(
        acknowledged.length >= kills,
        `only ${acknowledged.length} events`,
      );
      console.log(`  ${acknowledged.length} events`);
      await options.check?.(lab.project);
    },
  );

  Deno.test(`${name}: moves and removals race with appends and lose nothing`, async () => {
    await using lab = await ProcessLab.create(name);
    await using a = await lab.open();
    await using b = await lab.open();
    for (let n = 0; n < 20; n++) {
      const [from, to] = [sessionId(100 + n), sessionId(200 + n)];
      await a.append(from, history([opened(), question("One")]));
      const more = history([question("Two")], 2);
      const [added, moved, removed] = await Promise.allSettled([
        b.append(from, more),
        a.move(from, to),
        b.remove(from),
      ]);
      assert.equal(removed.status, "fulfilled");
      const left = await a.read(to);
      assert.equal(left !== undefined, moved.status === "fulfilled");
      if (left) assert.equal(left.seq, added.status === "fulfilled" ? 3 : 2);
      assert.equal(await b.read(from), undefined);
    }
  });
}

const shared = sessionId(1);
const script = fileURLToPath(new URL("writer.ts", import.meta.url));

function fromEnv(name: string, otherwise: number): number {
  return Number(Deno.env.get(name) ?? otherwise);
}

/** A project folder, and processes that write there. */
class ProcessLab implements AsyncDisposable {
  readonly project: string;
  readonly #name: string;

  private constructor(project: string, name: string) {
    this.project = project;
    this.#name = name;
  }

  static async create(name: string): Promise<ProcessLab> {
    const project = await Deno.makeTempDir({ prefix: "mm-processes-" });
    return new ProcessLab(project, name);
  }

  async open(): Promise<Store> {
    return await openForTest(this.#name, this.project);
  }

  writer(
    who: string,
    { ids, count, long = 100 }: {
      readonly ids: readonly string[];
      readonly count: number;
      readonly long?: number;
    },
  ): Deno.Command {
    return new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        script,
        this.#name,
        this.project,
        ids.join(","),
        who,
        `${count}`,
        `${long}`,
      ],
      stdout: "piped",
      stderr: "piped",
      stdin: "null",
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeDir(this.project);
  }
}

// The clock starts with the first line: before it the child only starts up.
async function linesUntilKilled(
  command: Deno.Command,
  ms: number,
): Promise<readonly string[]> {
  const child = command.spawn();
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const errors = new Response(child.stderr).text();
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    timer ??= setTimeout(() => child.kill("SIGKILL"), ms);
  }
  await child.status;
  clearTimeout(timer);
  assert.equal(await errors, "");
  return text.split("\n").slice(0, -1);
}

function inOrder(messages: readonly { readonly seq: number }[]): void {
  messages.forEach(({ seq }, i) => assert.equal(seq, i + 2));
}
