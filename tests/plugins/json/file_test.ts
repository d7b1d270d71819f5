import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { EventDraft } from "../../../core/event.ts";
import type { SessionState } from "../../../core/fold.ts";
import { plugin } from "../../../plugins/json/plugin.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";

const id = sessionId(1);
const golden = fileURLToPath(
  new URL("../../golden/session.json", import.meta.url),
);

Deno.test("append() writes the golden file: metadata first, one message a line", async () => {
  await using lab = await JsonLab.create();
  const steps = [
    ...histories["a withdrawn question"]!,
    ...history([question("Last\nwords 日本 😀"), answer("OK")], 10),
  ];
  for (const event of steps) await lab.store.append(id, [event]);
  const text = await lab.text(id);
  if (Deno.env.has("MM_UPDATE_GOLDEN")) await Deno.writeTextFile(golden, text);
  assert.equal(text, await Deno.readTextFile(golden));
});

Deno.test("the plugin keeps sessions under the project, and needs no options", async () => {
  await using lab = await JsonLab.create();
  await using store = await plugin.open({}, {
    project: lab.project,
    env: () => undefined,
    version: "0",
    commands: [],
    now: () => new Date(),
  });
  await store.append(id, history([opened()]));
  assert((await lab.text(id)).startsWith(`{"version":1,"id":"${id}",`));
});

Deno.test("append() makes private files and folders, and hides them from git", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, history([opened()]));
  await lab.store.append(id, history([question("One")], 1));
  const mode = async (path: string) =>
    ((await Deno.stat(path)).mode ?? 0) & 0o777;
  assert.equal(await mode(`${lab.project}/.mm`), 0o700);
  assert.equal(await mode(lab.dir), 0o700);
  assert.equal(await mode(lab.file(id)), 0o600);
  assert.equal(await mode(`${lab.dir}/.lock`), 0o600);
  assert.equal(await Deno.readTextFile(`${lab.project}/.mm/.gitignore`), "*\n");
  assert.deepEqual(await lab.names(), [".lock", `${id}.json`]);
});

Deno.test("append() leaves a .gitignore of the user's alone", async () => {
  await using lab = await JsonLab.create();
  await Deno.mkdir(lab.dir, { recursive: true });
  await Deno.writeTextFile(`${lab.project}/.mm/.gitignore`, "mine\n");
  await lab.store.append(id, history([opened()]));
  assert.equal(
    await Deno.readTextFile(`${lab.project}/.mm/.gitignore`),
    "mine\n",
  );
});

Deno.test("unknown fields survive appending, moving and other layouts", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, histories["a withdrawn question"]!);
  const file = JSON.parse(await lab.text(id));
  file.colour = { of: ["the", 1.5] };
  file.messages[1].mood = "good";
  file.errors[0].hint = null;
  for (const indent of [0, 2]) {
    await lab.put(id, JSON.stringify(file, null, indent));
    const store = lab.fresh();
    await store.append(id, history([question("More")], 10));
    await store.append(id, history([answer("Done")], 11));
    await store.move(id, sessionId(2));
    const after = JSON.parse(await lab.text(sessionId(2)));
    assert.deepEqual(after.colour, file.colour);
    assert.equal(Object.keys(after).at(-1), "colour");
    assert.equal(after.messages[1].mood, "good");
    assert.equal(after.errors[0].hint, null);
    assert.equal(after.messages.length, file.messages.length + 2);
    await store.remove(sessionId(2));
  }
});

Deno.test("numbers that JavaScript cannot hold survive in messages that stay", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, history([opened(), question("One")]));
  const text = await lab.text(id);
  await lab.put(
    id,
    text.replace(`"id":"q"`, `"id":"q","big":12345678901234567890`),
  );
  await lab.fresh().append(id, history([answer("1")], 2));
  assert((await lab.text(id)).includes(`"big":12345678901234567890`));
});

Deno.test("read() and list() take any layout of the same JSON", async () => {
  await using lab = await JsonLab.create();
  for (const [name, events] of Object.entries(histories)) {
    await lab.store.append(id, events);
    const state = await lab.store.read(id);
    const { items: [item] } = await lab.store.list();
    const file = JSON.parse(await lab.text(id));
    for (const text of layouts(file)) {
      await lab.put(id, text);
      assert.deepEqual(await lab.fresh().read(id), state, name);
      const { items: [found] } = await lab.fresh().list();
      assert.deepEqual({ ...found, bytes: 0 }, { ...item, bytes: 0 }, name);
    }
    await lab.store.remove(id);
  }
});

function layouts(file: Record<string, unknown>): readonly string[] {
  const { messages, errors, ...head } = file;
  const pretty = JSON.stringify(file, null, 2);
  return [
    JSON.stringify(file),
    pretty,
    `\ufeff${pretty}`,
    pretty.replaceAll("\n", "\r\n"),
    JSON.stringify({ messages, errors, ...head }),
    JSON.stringify({ errors, ...head, messages }, null, "\t"),
  ];
}

Deno.test("read() takes files from before errors were recorded", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, histories["one turn"]!);
  const state = await lab.store.read(id);
  const { errors: _, errorCount: __, ...old } = JSON.parse(await lab.text(id));
  await lab.put(id, JSON.stringify(old));
  assert.deepEqual(await lab.fresh().read(id), state);
});

Deno.test("list() reads metadata that is longer than 4 KiB", async () => {
  await using lab = await JsonLab.create();
  const cwds = [5000, 100_000].map((length) => `/${"x".repeat(length)}`);
  for (const [n, cwd] of cwds.entries()) {
    await lab.store.append(sessionId(n), history([opened(cwd)]));
  }
  const { items } = await lab.store.list();
  assert.deepEqual(items.map((s) => s.cwd).toSorted(), cwds.toSorted());
});

Deno.test("append() sees what an editor changed in the file", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, history([opened(), question("One")]));
  const text = await lab.text(id);
  await lab.put(id, text.replace(`"content":"One"`, `"content":"Two"`));
  await lab.store.append(id, history([answer("2")], 2));
  const state = await lab.store.read(id);
  assert.deepEqual(state?.messages.map((m) => m.content), ["Two", "2"]);
});

Deno.test("append() refuses what it could not read back, and keeps the old file", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, history([opened()]));
  const before = await lab.text(id);
  const circle: unknown[] = [];
  circle.push(circle);
  const bad = [
    { role: "user", id: "x", content: 5 },
    { role: "assistant", id: "x", content: "", usage: { input: NaN } },
    { role: "assistant", id: "x", content: "", provider: circle },
    { role: "robot", id: "x", content: "" },
  ];
  for (const message of bad) {
    const event = { type: "message", message, seq: 2, at: "2026" };
    // deno-lint-ignore no-explicit-any
    await assert.rejects(lab.store.append(id, [event as any]), TypeError);
  }
  const state = await lab.store.read(id) as SessionState;
  const late = { ...state, messages: [{ ...QUESTION, seq: 99, at: "2026" }] };
  await assert.rejects(
    lab.store.append(sessionId(2), [
      { type: "restored", state: late, seq: 5, at: "2026" },
    ]),
    TypeError,
  );
  assert.equal(await lab.text(id), before);
  assert.deepEqual(await lab.names(), [".lock", `${id}.json`]);
  await lab.store.append(id, history([question("fine")], 1));
});

const QUESTION = { role: "user", id: "q", content: "?" } as const;

Deno.test("read() gives what is on the disk, not what append() was given", async () => {
  await using lab = await JsonLab.create();
  // Of a field that this version does not know JSON makes what it can.
  const message = { role: "user", id: "u1", content: "One", on: new Date(0) };
  const said = { type: "message", message } as const;
  await lab.store.append(id, history([opened(), said as EventDraft]));
  assert.deepEqual(await lab.store.read(id), await lab.fresh().read(id));
});
