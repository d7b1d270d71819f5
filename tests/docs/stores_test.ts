import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copySession } from "../../core/copy_session.ts";
import type { Store } from "../../core/store.ts";
import { JsonlStore } from "../../plugins/jsonl/jsonl_store.ts";
import { SqliteStore } from "../../plugins/sqlite/sqlite_store.ts";
import {
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../store_suite/histories.ts";
import { TempDir } from "../temp_dir.ts";

const PAGE = await Deno.readTextFile(
  new URL("../../docs/stores.md", import.meta.url),
);
const id = sessionId(1);
const jq = await new Deno.Command("jq", { args: ["--version"] }).output()
  .then(() => true, () => false);

Deno.test({
  name: `docs/stores.md: jq finds in a copy what it finds in the original${
    jq ? "" : " (skipped: there is no jq)"
  }`,
  ignore: !jq,
  async fn() {
    const query = quoted(/^jq -r '(.*)' ID\.jsonl$/m);
    await using folder = await TempDir.make();
    const found: string[] = [];
    for (const store of await withCopy((name) => jsonl(folder, name))) {
      const file = join(folder.path, store, `${id}.jsonl`);
      const { stdout } = await new Deno.Command("jq", {
        args: ["-r", query, file],
      }).output();
      found.push(new TextDecoder().decode(stdout));
    }
    assert.match(found[0]!, /x{1000}/);
    assert.equal(found[1], found[0]);
  },
});

Deno.test("docs/stores.md: SQL counts in a copy what it counts in the original", async () => {
  const query = quoted(/^sqlite3 .mm\/sessions\.db "(SELECT[^"]*)"$/m);
  await using folder = await TempDir.make();
  const found: unknown[][] = [];
  for (const store of await withCopy((name) => sqlite(folder, name))) {
    using db = new DatabaseSync(join(folder.path, store, "sessions.db"));
    found.push(db.prepare(query).all().map((row) => Object.values(row)));
  }
  assert(found[0]!.length > 0);
  assert.deepEqual(found[1], found[0]);
});

function quoted(command: RegExp): string {
  const [, query] = command.exec(PAGE) ?? [];
  assert(query, `the page has no ${command}`);
  return query;
}

/** A conversation that a copy keeps in several parts, in a store and copied to another; gives their names. */
async function withCopy(open: (name: string) => Store): Promise<string[]> {
  await using original = open("original");
  await using copy = open("copy");
  const long = question("x".repeat(300_000));
  const [, ...turn] = histories["a settled turn, then a new prompt"]!;
  await original.append(id, history([opened(), ...turn, long, ...turn, long]));
  assert.equal((await copySession(id, original, copy)).status, "copied");
  return ["original", "copy"];
}

function jsonl({ path }: TempDir, name: string): Store {
  return new JsonlStore(join(path, name));
}

function sqlite({ path }: TempDir, name: string): Store {
  return new SqliteStore(join(path, name, "sessions.db"));
}
