import assert from "node:assert/strict";
import { empty, fold } from "../../../core/fold.ts";
import {
  answer,
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { JsonlLab } from "./lab.ts";

const id = sessionId(1);

Deno.test("a file that is cut anywhere after its first append holds whole appends only, and goes on", async () => {
  await using lab = await JsonlLab.create();
  const appends = [
    history([opened(), question("größe 日本")]),
    history([answer("One"), { type: "settled", reason: "end_turn" }], 2),
    history([question("Two 😀")], 4),
    history([answer("2"), answer("3"), answer("4")], 5),
  ];
  const sizes: number[] = [];
  for (const events of appends) {
    await lab.store.append(id, events);
    sizes.push((await Deno.stat(lab.file(id))).size);
  }
  const bytes = await Deno.readFile(lab.file(id));
  for (let cut = sizes[0]!; cut < bytes.length; cut += 1 + cut % 5) {
    const torn = sessionId(100 + cut);
    const renamed = new TextDecoder().decode(bytes).replace(id, torn);
    const whole = new TextEncoder().encode(renamed).subarray(0, cut);
    await lab.put(torn, whole);
    // Only the line end may be missing: all of that is there.
    const count = sizes.filter((s) => s - 1 <= cut).length;
    const kept = appends.slice(0, count).flat();
    const store = lab.fresh();
    assert.deepEqual(await store.read(torn), kept.reduce(fold, empty()));
    const { items } = await store.list({ text: torn });
    assert.equal(items[0]?.updatedAt, kept.at(-1)?.at);

    const next = history([answer("on")], kept.length);
    await lab.fresh().append(torn, next);
    const after = await lab.fresh().read(torn);
    assert.deepEqual(after, [...kept, ...next].reduce(fold, empty()));
    assert.deepEqual(await store.read(torn), after);
    const aside = await readIfThere(`${lab.dir}/${torn}.torn.txt`);
    const end = sizes[count - 1]!;
    const rest = cut > end ? whole.subarray(end) : undefined;
    assert.deepEqual(aside, rest && new Uint8Array([...rest, 10]));
    await store.remove(torn);
  }
  assert.deepEqual(await lab.names(), [".lock", `${id}.jsonl`]);
});

Deno.test("what was torn moves with its session and goes with it", async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, history([opened()]));
  await lab.put(id, `${await lab.text(id)}{"type":"mess`);
  await lab.store.append(id, history([question("One")], 1));
  await lab.put(id, `${await lab.text(id)}{"type":"again`);
  await lab.store.append(id, history([question("Two")], 2));
  await lab.store.move(id, sessionId(2));
  const torn = `${sessionId(2)}.torn.txt`;
  assert.equal(
    await Deno.readTextFile(`${lab.dir}/${torn}`),
    `{"type":"mess\n{"type":"again\n`,
  );
  await lab.store.remove(sessionId(2));
  assert.deepEqual(await lab.names(), [".lock"]);
});

Deno.test("lines that came twice count once, wherever they stand", async () => {
  await using lab = await JsonlLab.create();
  for (const events of Object.values(histories)) {
    await lab.store.append(id, events);
    const [header, ...lines] = await lab.lines(id);
    const doubled = lines.flatMap((line, n) => n % 2 ? [line, line] : [line]);
    const again = [header, header, ...doubled, ...lines.slice(-3), ""];
    await lab.put(id, again.join("\n"));
    const state = events.reduce(fold, empty());
    assert.deepEqual(await lab.fresh().read(id), state);
    const next = history([answer("on")], state.seq);
    await lab.fresh().append(id, next);
    const all = [...events, ...next];
    assert.deepEqual(await lab.fresh().read(id), all.reduce(fold, empty()));
    await lab.store.remove(id);
  }
});

Deno.test("a last line without its line end, as an editor leaves it, counts", async () => {
  await using lab = await JsonlLab.create();
  const events = history([opened(), question("One")]);
  await lab.store.append(id, events.slice(0, 1));
  await lab.put(id, (await lab.text(id)) + JSON.stringify(events[1]));
  assert.deepEqual(await lab.store.read(id), events.reduce(fold, empty()));
  const next = history([answer("1")], 2);
  await lab.store.append(id, next);
  const types = (await lab.lines(id)).map((line) => JSON.parse(line).type);
  assert.deepEqual(types.slice(0, 4), [
    "session",
    "opened",
    "message",
    "message",
  ]);
  assert.equal((await lab.fresh().read(id))?.messages.length, 2);
});

Deno.test("empty lines, as an editor leaves them, do no harm", async () => {
  await using lab = await JsonlLab.create();
  const events = history([opened(), question("One"), answer("1")]);
  for (const event of events) await lab.store.append(id, [event]);
  await lab.put(id, (await lab.text(id)).replaceAll("\n", "\n\n"));
  assert.deepEqual(await lab.store.read(id), events.reduce(fold, empty()));
  await lab.store.append(id, history([question("Two")], 3));
  assert.equal((await lab.fresh().read(id))?.seq, 4);
});

Deno.test("a file that was changed by hand while it is open is read anew", async () => {
  await using lab = await JsonlLab.create();
  const events = history([opened(), question("One"), answer("1")]);
  await lab.store.append(id, events);
  await lab.store.read(id);
  await lab.put(id, (await lab.text(id)).replace("One", "Two"));
  assert.equal((await lab.store.read(id))?.messages[0]?.content, "Two");
  const text = (await lab.text(id)).replace("Two", "Three");
  const more = JSON.stringify(history([answer("2")], 3)[0]);
  await lab.put(id, `${text}${more}\n`);
  const state = await lab.store.read(id);
  assert.equal(state?.messages.length, 3);
  await lab.store.append(id, history([answer("3")], 4));
  assert.equal((await lab.store.read(id))?.messages.length, 4);
});

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
