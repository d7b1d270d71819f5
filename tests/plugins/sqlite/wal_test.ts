import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Database } from "../../../plugins/sqlite/database.ts";
import { hasWalRace } from "../../../plugins/sqlite/version.ts";
import { WriteBack } from "../../../plugins/sqlite/write_back.ts";
import {
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { SqliteLab } from "./lab.ts";

const id = sessionId(1);
const BOUND = 16 * 1024 ** 2; // twice what a log is cut back to

Deno.test("the log stays under its bound while other connections are open and read", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const reader = new DatabaseSync(lab.path, { readOnly: true });
  const other = lab.fresh();
  let largest = 0;
  for (let seq = 1; seq <= 400; seq++) {
    const text = `${seq} ${"x".repeat(200_000)}`;
    await lab.store.append(id, history([question(text)], seq));
    if (seq % 10 === 0) {
      reader.prepare("SELECT count(*) FROM events").get();
      await other.list();
      await Array.fromAsync(other.search({ text: `${seq}` }));
    }
    largest = Math.max(largest, walSize(lab));
  }
  reader.close();
  console.log(`  largest ${(largest / 1e6).toFixed(1)} MB of 80 MB written`);
  assert(largest <= BOUND, `${largest} bytes`);
});

Deno.test("a reader that never ends is told of, and the log shrinks when it does", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const reader = new DatabaseSync(lab.path, { readOnly: true });
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM events").get();
  let seq = 1;
  const write = async (count: number) => {
    for (let n = 0; n < count; n++, seq++) {
      const text = "y".repeat(500_000);
      await lab.store.append(id, history([question(text)], seq));
    }
  };
  await write(80);
  assert(walSize(lab) > 32 * 1024 ** 2);
  const notices = lab.store.notices();
  assert(notices.some((n) => /has grown to \d+ MB.*keeps reading/.test(n)));
  assert.deepEqual(lab.store.notices(), []);
  reader.exec("COMMIT");
  await write(40);
  assert(walSize(lab) <= BOUND, `${walSize(lab)} bytes`);
  reader.close();
  assert.equal((await lab.fresh().read(id))?.seq, seq);
});

for (const [connections, ms] of [[1, 5], [2, 20], [2, 150]] as const) {
  Deno.test(`the log stays under its bound while another process reads without a pause, ${connections} × ${ms} ms`, async () => {
    await using lab = await SqliteLab.create();
    await lab.store.append(id, history([opened()]));
    await using _reader = await Reader.start(lab, connections, ms);
    let largest = 0;
    for (let seq = 1; seq <= 200; seq++) {
      const text = `${seq} ${"x".repeat(200_000)}`;
      await lab.store.append(id, history([question(text)], seq));
      largest = Math.max(largest, walSize(lab));
    }
    console.log(`  largest ${(largest / 1e6).toFixed(1)} MB of 40 MB written`);
    assert(largest <= BOUND, `${largest} bytes`);
    assert.deepEqual(warnings(lab), []);
  });
}

Deno.test("a process that keeps a transaction open is told of, and the log shrinks when it is killed", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  const reader = await Reader.start(lab, 1, 0);
  let seq = 1;
  const write = async (count: number) => {
    for (let n = 0; n < count; n++, seq++) {
      const text = "y".repeat(500_000);
      await lab.store.append(id, history([question(text)], seq));
    }
  };
  await write(80);
  assert.equal(warnings(lab).length, 1);
  await reader[Symbol.asyncDispose]();
  await write(40);
  assert(walSize(lab) <= BOUND, `${walSize(lab)} bytes`);
  assert.equal((await lab.fresh().read(id))?.seq, seq);
});

Deno.test("a log that cannot be written back is told of, and fails no write", async () => {
  await using lab = await SqliteLab.create();
  await lab.store.append(id, history([opened()]));
  using log = Deno.openSync(`${lab.path}-other-wal`, {
    create: true,
    write: true,
  });
  log.truncateSync(9 * 1024 ** 2);
  const db = {
    path: `${lab.path}-other`,
    pragma() {
      throw new Error("disk I/O error");
    },
  } as unknown as Database;
  const notices: string[] = [];
  const writeBack = new WriteBack((text) => notices.push(text));
  for (let n = 0; n < 20; n++) await writeBack.afterWrite(db);
  assert.equal(notices.length, 1);
  assert.match(notices[0]!, /^Cannot write back the log .*: disk I\/O error;/);
});

Deno.test("hasWalRace() knows the versions that were not mended", () => {
  const bad = ["3.7.0", "3.44.5", "3.45.0", "3.50.2", "3.50.6", "3.51.2"];
  const good = ["3.6.23", "3.44.6", "3.50.7", "3.51.3", "3.53.2", "4.0.0"];
  for (const version of bad) assert(hasWalRace(version), version);
  for (const version of good) assert(!hasWalRace(version), version);
});

/** What the store says of its log; not of the version of SQLite. */
function warnings(lab: SqliteLab): readonly string[] {
  return lab.store.notices().filter((text) => /The log of/.test(text));
}

/** Another process that reads. */
class Reader implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
  }

  static async start(
    { path }: SqliteLab,
    connections: number,
    ms: number,
  ): Promise<Reader> {
    const script = fileURLToPath(new URL("reader.ts", import.meta.url));
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-check",
        script,
        path,
        `${connections}`,
        `${ms}`,
      ],
      stdin: "null",
      stdout: "piped",
    }).spawn();
    const said = child.stdout.values({ preventCancel: true });
    await said.next();
    await said.return?.();
    return new Reader(child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.stdout.cancel();
    await this.#child.status;
  }
}

function walSize(lab: SqliteLab): number {
  return Deno.statSync(`${lab.path}-wal`).size;
}
