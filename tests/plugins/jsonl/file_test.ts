import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { ConflictError } from "../../../core/error.ts";
import { summarize } from "../../../core/store.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { openForTest } from "../../store_suite/open.ts";
import { JsonlLab } from "./lab.ts";

const id = sessionId(1);
const golden = fileURLToPath(
  new URL("../../golden/session.jsonl", import.meta.url),
);

Deno.test("append() writes the golden file: a header, then one event a line", async () => {
  await using lab = await JsonlLab.create();
  const [first, second, third, ...rest] = histories["a withdrawn question"]!;
  await lab.store.append(id, [first!, second!, third!]);
  for (const event of rest) await lab.store.append(id, [event]);
  const more = history([question("Last\nwords 日本 😀"), answer("OK")], 10);
  await lab.store.append(id, more);
  const text = await lab.text(id);
  if (Deno.env.has("MM_UPDATE_GOLDEN")) await Deno.writeTextFile(golden, text);
  assert.equal(text, await Deno.readTextFile(golden));
});

Deno.test("the header names the session this one came from", async () => {
  for (const title of ["come from another session", "restored elsewhere"]) {
    await using lab = await JsonlLab.create();
    const [first] = histories[title]!;
    await lab.store.append(id, [first!]);
    const { cwd, parent } = (await lab.store.read(id))!;
    const [header] = await lab.lines(id);
    assert.deepEqual(JSON.parse(header!), {
      type: "session",
      version: 1,
      id,
      timestamp: first!.at,
      cwd,
      parentSession: `${parent}.jsonl`,
      parentSessionId: parent,
    });
  }
});

Deno.test("a file only grows: what was written stays as it is", async () => {
  await using lab = await JsonlLab.create();
  let before = "";
  for (const event of histories["compacted between turns"]!) {
    await lab.store.append(id, [event]);
    const text = await lab.text(id);
    assert(text.startsWith(before) && text.length > before.length);
    before = text;
  }
});

Deno.test("append() goes on in the file that has the name now, not in the one it added to last", async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, history([opened(), question("One")]));
  await lab.store.append(id, history([answer("1")], 2));
  await Deno.rename(lab.file(id), `${lab.dir}/old`);
  await Deno.copyFile(`${lab.dir}/old`, lab.file(id));
  await lab.store.append(id, history([question("Two")], 3));
  assert.equal((await lab.fresh().read(id))?.seq, 4);
  await Deno.remove(lab.file(id));
  const late = lab.store.append(id, history([answer("2")], 4));
  await assert.rejects(late, ConflictError);
});

Deno.test("move() and remove() keep no file open that has lost its name", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using lab = await JsonlLab.create();
  const open = () =>
    openFiles().filter((path) =>
      path.startsWith(lab.dir) && path.endsWith(".jsonl")
    );
  await lab.store.append(id, history([opened()]));
  await lab.store.append(id, history([question("One")], 1));
  await lab.store.move(id, sessionId(2));
  assert.deepEqual(open(), []);
  await lab.store.append(sessionId(2), history([answer("1")], 2));
  assert.deepEqual(open(), [lab.file(sessionId(2))]);
  await lab.store.remove(sessionId(2));
  assert.deepEqual(open(), []);
});

Deno.test("append() makes private files and folders, and hides them from git", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, history([opened()]));
  await lab.store.append(id, history([question("One")], 1));
  const mode = async (path: string) =>
    ((await Deno.stat(path)).mode ?? 0) & 0o777;
  assert.equal(await mode(`${lab.project}/.mm`), 0o700);
  assert.equal(await mode(lab.dir), 0o700);
  assert.equal(await mode(lab.file(id)), 0o600);
  assert.equal(await mode(`${lab.dir}/.lock`), 0o600);
  assert.equal(await Deno.readTextFile(`${lab.project}/.mm/.gitignore`), "*\n");
  assert.deepEqual(await lab.names(), [".lock", `${id}.jsonl`]);
});

Deno.test("json and jsonl keep sessions side by side in one folder", async () => {
  await using lab = await JsonlLab.create();
  await using json = await openForTest("json", lab.project);
  await lab.store.append(id, history([opened("/a")]));
  await json.append(id, history([opened("/b")]));
  assert.equal((await lab.store.read(id))?.cwd, "/a");
  assert.equal((await json.read(id))?.cwd, "/b");
  assert.equal((await json.list()).items.length, 1);
  assert.equal((await lab.store.list()).items.length, 1);
});

Deno.test("list() tells of long sessions what read() does, from the ends of their files", async () => {
  await using lab = await JsonlLab.create();
  let seq = 0;
  for (let n = 0; n < 60; n++) {
    const size = [10, 300, 5000, 20_000][n % 4]!;
    const drafts = [question("x".repeat(size)), answer(`answer ${n}`)];
    const events = history(n === 0 ? [opened(), ...drafts] : drafts, seq);
    await lab.store.append(id, events);
    seq += events.length;
    const state = (await lab.fresh().read(id))!;
    const { items: [item] } = await lab.fresh().list();
    const { size: bytes } = await Deno.stat(lab.file(id));
    assert.deepEqual(item, { ...summarize(id, state), bytes });
  }
});

Deno.test("100,000 events are read, gone on with and listed", async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, history([opened()]));
  for (let n = 1; n < 100_000; n += 1000) {
    const drafts = Array.from({ length: 1000 }, (_, i) => answer(`a ${i}`));
    await lab.store.append(id, history(drafts, n));
  }
  const state = await lab.fresh().read(id);
  assert.equal(state?.messages.length, 100_000);
  const fresh = lab.fresh();
  await fresh.append(id, history([question("And now?")], 100_001));
  assert.equal((await fresh.list()).items[0]?.id, id);
});

function openFiles(): readonly string[] {
  return [...Deno.readDirSync("/proc/self/fd")].flatMap(({ name }) => {
    try {
      return [Deno.readLinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return []; // closed meanwhile
    }
  });
}
