/** How long an editor waits for `dist/mm acp`, and how much memory that takes. */
import { join } from "node:path";
import { JsonStore } from "../../plugins/json/json_store.ts";
import { Failure } from "../lib/failure.ts";
import { interleaved, median, type Row } from "./measure.ts";
import { sampleSession } from "./sample_session.ts";
import { emptyProgram } from "./startup.ts";

/** All that is measured of the editor facade; `dist/mm` must have been built. */
export async function acp(root: string): Promise<readonly Row[]> {
  const mm = join(root, "dist/mm");
  const dir = await Deno.realPath(await Deno.makeTempDir());
  try {
    return [
      await initialize(mm, await emptyProgram(root), dir),
      ...await load(mm, dir),
      await slowReader(mm, dir),
    ];
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
}

/** From the start of the process to the answer to `initialize`, against an empty program. */
async function initialize(
  mm: string,
  blank: string,
  dir: string,
): Promise<Row> {
  const [value, baseline] = await interleaved(
    25,
    async () => {
      await using client = new Client(mm, dir);
      await client.ask("initialize", { protocolVersion: 1 });
    },
    () => new Deno.Command(blank, { stdin: "null", stdout: "null" }).output(),
  );
  return { name: "acp initialize", value, baseline, target: 3 };
}

/** Loading 1,000 messages (5 MB), against reading, parsing and piping the same bytes. */
async function load(mm: string, dir: string): Promise<readonly Row[]> {
  const file = await makeSession(dir, ID, 250, 20_000);
  const first: number[] = [];
  const last: number[] = [];
  const raw: number[] = [];
  for (let n = 0; n < 9; n++) {
    // A process of its own each time: a second load would find it in memory.
    await using client = new Client(mm, dir);
    await client.ask("initialize", { protocolVersion: 1 });
    const times = await client.load(ID, dir);
    const baseline = await readParsePipe(file);
    if (n === 0) continue;
    first.push(times.first);
    last.push(times.last);
    raw.push(baseline);
  }
  const baseline = median(raw);
  return [
    {
      name: "acp load 5 MB: first update",
      value: median(first),
      baseline,
      target: 2,
    },
    { name: "acp load 5 MB: end", value: median(last), baseline, target: 4 },
  ];
}

/** Peak memory of loading 40 MB for a client that pauses, against one that reads on. */
async function slowReader(mm: string, dir: string): Promise<Row> {
  const id = "20261201-000001-00000000";
  await makeSession(dir, id, 2000, 20_000);
  const peak = async (pauseMs: number) => {
    await using client = new Client(mm, dir);
    await client.ask("initialize", { protocolVersion: 1 });
    await client.load(id, dir, pauseMs);
    return await client.peakMemory() / 1e6;
  };
  const baseline = await peak(0);
  const value = await peak(2000);
  return {
    name: "acp load 40 MB, slow client: memory",
    value,
    baseline,
    target: 1.25,
    unit: "MB",
  };
}

const ID = "20261201-000000-00000000";

/** Writes a session of `turns` turns, each of about `bytes`; its file. */
async function makeSession(
  dir: string,
  id: string,
  turns: number,
  bytes: number,
): Promise<string> {
  const folder = join(dir, ".mm/sessions");
  const seed = "x".repeat(Math.floor(bytes / 72));
  const events = sampleSession(turns * bytes, seed).map((event) =>
    event.type === "opened" ? { ...event, cwd: dir } : event
  );
  await new JsonStore(folder).append(id, events);
  return join(folder, `${id}.json`);
}

async function readParsePipe(file: string): Promise<number> {
  const cat = new Deno.Command("cat", { stdin: "piped", stdout: "null" })
    .spawn();
  const start = performance.now();
  const bytes = await Deno.readFile(file);
  JSON.parse(new TextDecoder().decode(bytes));
  const writer = cat.stdin.getWriter();
  await writer.write(bytes);
  await writer.close();
  await cat.status;
  return performance.now() - start;
}

/** The least there is of a client: it counts lines and looks at no more than their ids. */
class Client implements AsyncDisposable {
  readonly #process: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<Uint8Array>;
  #ids = 0;

  constructor(mm: string, cwd: string) {
    this.#process = new Deno.Command(mm, {
      args: ["acp"],
      cwd,
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
      env: { MM_CONFIG: "", MM_MODEL: "demo" },
    }).spawn();
    this.#input = this.#process.stdin.getWriter();
    this.#output = this.#process.stdout.getReader();
  }

  /** Resolves with the answer; tells when the first bytes came. */
  async ask(
    method: string,
    params: unknown,
    { pauseMs = 0 } = {},
  ): Promise<{ first: number; last: number }> {
    const id = ++this.#ids;
    const line = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const start = performance.now();
    await this.#input.write(new TextEncoder().encode(`${line}\n`));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const decoder = new TextDecoder();
    let first: number | undefined;
    let tail = "";
    for (;;) {
      const { value, done } = await this.#output.read();
      if (done) throw new Failure(`Cannot time ${method}: mm left`);
      first ??= performance.now() - start;
      tail = (tail + decoder.decode(value, { stream: true })).slice(-4000);
      const end = tail.lastIndexOf(`"id":${id},`);
      if (end < 0 || !tail.endsWith("\n")) continue;
      if (tail.slice(end).includes('"error"')) {
        throw new Failure(`Cannot time ${method}: ${tail.slice(end)}`);
      }
      return { first, last: performance.now() - start };
    }
  }

  load(sessionId: string, cwd: string, pauseMs = 0) {
    const params = { sessionId, cwd, mcpServers: [] };
    return this.ask("session/load", params, { pauseMs });
  }

  /** The most memory it ever held, in bytes. */
  async peakMemory(): Promise<number> {
    const status = await Deno.readTextFile(
      `/proc/${this.#process.pid}/status`,
    );
    return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? NaN) * 1024;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#output.cancel();
    await this.#process.status;
  }
}
