import assert from "node:assert/strict";
import fc from "fast-check";
import { ConflictError, UnreadableError } from "../../../core/error.ts";
import { searchStore } from "../../../core/search/search_store.ts";
import {
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { JsonlLab } from "./lab.ts";

const id = sessionId(1);
const unix = Deno.build.os !== "windows";

type Spoil = (lab: JsonlLab) => Promise<void>;

/** How to spoil a good file, and what must be said of it. */
const kinds: Readonly<Record<string, readonly [Spoil, RegExp]>> = {
  "zero bytes": [text(() => ""), /empty \(0 bytes\)/],
  "cut off in its header": [text((t) => t.slice(0, 30)), /no header/],
  "only a header": [text((t) => `${t.split("\n")[0]}\n`), /holds no event/],
  "not JSON": [text(() => "hello\n"), /no header/],
  "not UTF-8": [async (lab) => {
    const bytes = new TextEncoder().encode(await lab.text(id));
    bytes[bytes.indexOf(72, 300)] = 0xff;
    await lab.put(id, bytes);
  }, /not valid UTF-8/],
  "another id": [header("id", sessionId(9)), /"id" is "2026.*", not its name/],
  "no id": [header("id", undefined), /"id" is not text/],
  "no version": [header("version", undefined), /"version" is not 1/],
  "a newer version": [header("version", 2), /newer mm .*upgrade mm/],
  "a line that is not JSON": [line(3, () => `{"type":`), /line 4: it is not a/],
  "a line that is null": [line(3, () => "null"), /line 4: it is not a JSON ob/],
  "a line without seq": [
    event(3, { seq: undefined }),
    /line 4: "seq" is not a whole number/,
  ],
  "a message without role": [
    event(2, { message: { id: "x" } }),
    /line 3: its message: it has no "role"/,
  ],
  "a message without content": [
    event(2, { message: { id: "x", role: "user" } }),
    /line 3: its message: "content" is neither text nor a list of blocks/,
  ],
  "a missing line": [
    lines((all) => all.toSpliced(3, 1)),
    /event 4 comes after/,
  ],
  "a seq twice": [event(4, { seq: 3 }), /line 5: event 3 comes after event 3/],
  "a folder": [async (lab) => {
    await Deno.remove(lab.file(id));
    await Deno.mkdir(lab.file(id));
  }, /it is a folder/],
};

const unixKinds: typeof kinds = {
  "a symbolic link": [async (lab) => {
    const elsewhere = `${lab.project}/elsewhere.jsonl`;
    await Deno.rename(lab.file(id), elsewhere);
    await Deno.symlink(elsewhere, lab.file(id));
  }, /symbolic link/],
  "a named pipe": [async (lab) => {
    await Deno.remove(lab.file(id));
    const { code } = await new Deno.Command("mkfifo", { args: [lab.file(id)] })
      .output();
    assert.equal(code, 0);
  }, /named pipe/],
  "larger than 1 GiB": [async (lab) => {
    await Deno.truncate(lab.file(id), 1024 ** 3 + 1);
  }, /too large/],
};

for (
  const [kind, [spoil, reason]] of Object.entries({ ...kinds, ...unixKinds })
) {
  const ignore = kind in unixKinds && !unix;
  Deno.test(`a session file that is ${kind} is told, listed and never lost`, {
    ignore,
  }, async () => {
    await using lab = await JsonlLab.create();
    await lab.store.append(id, histories["a withdrawn question"]!);
    await lab.store.append(sessionId(2), history([opened()]));
    await spoil(lab);
    const before = await trace(lab, id);
    for (const store of [lab.store, lab.fresh()]) {
      await assert.rejects(store.read(id), (error) => {
        assert(error instanceof UnreadableError);
        assert(error.message.includes(lab.file(id)), error.message);
        assert.match(error.message, reason);
        return true;
      });
    }
    const { items } = await lab.store.list();
    assert.equal(items.length, 2);
    const item = items.find((s) => s.id === id);
    // Listing reads the ends and checks little, so it cannot know all of it.
    if (item?.unreadable) assert.match(item.unreadable, reason);
    else assert(kind === "not UTF-8" || kind.startsWith("a "), kind);
    const wanted = { words: ["one"], limit: 10 };
    assert.equal(
      (await searchStore(lab.store, wanted, new Set())).unreadable,
      1,
    );
    assert.equal(await trace(lab, id), before);

    await lab.store.append(id, history([opened("/new")])).catch((error) => {
      // Its end is whole: there is a record, which this does not follow.
      assert(error instanceof ConflictError, error);
    });
    const aside = `${id}.unreadable-1`;
    const moved = (await lab.names()).includes(`${aside}.jsonl`);
    assert.equal(await trace(lab, moved ? aside : id), before);
    if (!moved) return;
    assert.equal((await lab.fresh().read(id))?.cwd, "/new");
    const listed = (await lab.fresh().list()).items.find((s) => s.id === aside);
    assert.match(listed?.unreadable ?? "", /set aside/);
  });
}

Deno.test("append() to an unreadable file is a conflict, and changes nothing", async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, histories["one turn"]!);
  await lab.put(
    id,
    (await lab.text(id)).replace(`"version":1`, `"version":22`),
  );
  const before = await lab.text(id);
  const next = history([question("more")], 5);
  await assert.rejects(lab.store.append(id, next), ConflictError);
  await assert.rejects(lab.fresh().append(id, next), ConflictError);
  assert.equal(await lab.text(id), before);
});

Deno.test("list() ignores what is no session, and sweeps nothing", async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, history([opened()]));
  for (const name of ["notes.txt", "notes.jsonl", `.${id}.1.00000000.tmp`]) {
    await Deno.writeTextFile(`${lab.dir}/${name}`, "x");
  }
  assert.deepEqual((await lab.store.list()).items.map((s) => s.id), [id]);
  await Deno.utime(`${lab.dir}/.${id}.1.00000000.tmp`, 0, 0);
  await lab.fresh().append(sessionId(2), history([opened()]));
  assert(!(await lab.names()).some((name) => name.endsWith(".tmp")));
});

Deno.test("no file at all makes read() or list() fail in another way", async () => {
  await using lab = await JsonlLab.create();
  await lab.store.append(id, histories["an open turn with tools"]!);
  const good = await lab.text(id);
  const values = ["null", "-1", "1e999", `""`, "[]", "{}", `"\\ud800"`];
  const change = fc.tuple(
    fc.nat(good.length),
    fc.nat(30),
    fc.oneof(fc.constantFrom(...values), fc.string(), fc.constant("\n")),
  );
  const property = fc.asyncProperty(change, async ([at, length, put]) => {
    await lab.put(id, good.slice(0, at) + put + good.slice(at + length));
    await lab.fresh().read(id).catch((error) => {
      assert(error instanceof UnreadableError, error);
    });
    assert.equal((await lab.fresh().list()).items.length, 1);
    await lab.fresh().append(id, history([question("x")], 7)).catch((error) => {
      assert(error instanceof ConflictError, error);
    });
  });
  await fc.assert(property, { numRuns: 300, seed: 20260916 });
});

function text(change: (text: string) => string): Spoil {
  return async (lab) => await lab.put(id, change(await lab.text(id)));
}

function lines(change: (lines: string[]) => string[]): Spoil {
  return text((t) => change(t.split("\n")).join("\n"));
}

function line(n: number, change: (line: string) => string): Spoil {
  return lines((all) => all.with(n, change(all[n]!)));
}

function header(name: string, value: unknown): Spoil {
  return line(0, (l) => JSON.stringify({ ...JSON.parse(l), [name]: value }));
}

function event(n: number, change: Readonly<Record<string, unknown>>): Spoil {
  return line(n, (l) => JSON.stringify({ ...JSON.parse(l), ...change }));
}

// What is there, without opening what would hang.
async function trace(lab: JsonlLab, name: string): Promise<string> {
  const info = await Deno.lstat(lab.file(name));
  if (info.isSymlink) return await Deno.readLink(lab.file(name));
  if (!info.isFile) return `folder ${info.isDirectory}, pipe ${info.isFifo}`;
  if (info.size > 1e6) return `${info.size} bytes`;
  return await lab.text(name);
}
