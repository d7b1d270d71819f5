import assert from "node:assert/strict";
import { ConflictError, UnreadableError } from "../../../core/error.ts";
import {
  histories,
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";

const id = sessionId(1);
const unix = Deno.build.os !== "windows";

/** How to spoil a good file, and what must be said of it. */
const kinds: Readonly<Record<string, readonly [Spoil, RegExp]>> = {
  "zero bytes": [text(() => ""), /empty \(0 bytes\)/],
  "cut off in a message": [text((t) => t.slice(0, 700)), /cut off/],
  "cut off in its head": [text((t) => t.slice(0, 50)), /cut off/],
  "cut off in its last line": [text((t) => t.slice(0, -3)), /cut off/],
  "not JSON": [text(() => "hello"), /not valid JSON/],
  "not UTF-8": [async (lab) => {
    const bytes = new TextEncoder().encode(await lab.text(id));
    bytes[bytes.indexOf(72, 500)] = 0xff;
    await lab.put(id, bytes);
  }, /not valid UTF-8/],
  "not an object": [text(() => "[]\n"), /not a JSON object/],
  "another id": [field("id", sessionId(9)), /"id" is "2026.*", not its name/],
  "no id": [field("id", undefined), /"id" is not text/],
  "no version": [field("version", undefined), /"version" is not 1/],
  "version as text": [field("version", "1"), /"version" is not 1/],
  "a newer version": [field("version", 2), /newer mm .*upgrade mm/],
  "title of the wrong type": [field("title", 3), /"title" is not text/],
  "turns of the wrong type": [field("turns", -1), /"turns" is not a count/],
  "usage of the wrong type": [field("usage", []), /"usage" is not/],
  "time of the wrong type": [field("updatedAt", 7), /"updatedAt" is not/],
  "no messages": [field("messages", undefined), /"messages" is not a list/],
  "errors of the wrong type": [field("errors", {}), /"errors" is not a list/],
  "a message without role": [message({ role: undefined }), /no "role"/],
  "a message of unknown role": [message({ role: "x" }), /"role" is not one/],
  "content of the wrong type": [message({ content: 1 }), /"content" is n/],
  "a message without seq": [message({ seq: undefined }), /"seq" is not/],
  "a seq twice": [message({ seq: 3 }), /message 3 comes after message 3/],
  "a seq beyond the record": [message({ seq: 99 }), /beyond the record/],
  "null for a message": [
    json((f) => ({ ...f, messages: [null] })),
    /message 1: it is not an object/,
  ],
  "an error without line": [
    json((f) => ({ ...f, errors: [{ at: "", kind: "", question: "" }] })),
    /error 1: "line" is not text/,
  ],
  "a folder": [async (lab) => {
    await Deno.remove(lab.file(id));
    await Deno.mkdir(lab.file(id));
  }, /it is a folder/],
};

const unixKinds: typeof kinds = {
  "a symbolic link": [async (lab) => {
    const elsewhere = `${lab.project}/elsewhere.json`;
    await Deno.rename(lab.file(id), elsewhere);
    await Deno.symlink(elsewhere, lab.file(id));
  }, /symbolic link/],
  "a link to nothing": [async (lab) => {
    await Deno.remove(lab.file(id));
    await Deno.symlink("/nowhere/at/all", lab.file(id));
  }, /symbolic link/],
  "a named pipe": [async (lab) => {
    await Deno.remove(lab.file(id));
    await run("mkfifo", lab.file(id));
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
    await using lab = await JsonLab.create();
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
      const next = history([question("more")], 10);
      await assert.rejects(store.append(id, next), ConflictError);
    }
    const { items } = await lab.store.list();
    assert.equal(items.length, 2);
    const item = items.find((s) => s.id === id);
    // Listing reads the head only, so it cannot know all of it.
    if (item?.unreadable) assert.match(item.unreadable, reason);
    else assert(kind.includes("seq") || SEEN_BY_READING.has(kind), kind);
    assert.equal(await trace(lab, id), before);

    await lab.store.move(id, sessionId(3));
    assert.equal(await trace(lab, sessionId(3)), before);
    await lab.store.move(sessionId(3), id);

    await lab.store.append(id, history([opened("/new")]));
    assert.equal((await lab.fresh().read(id))?.cwd, "/new");
    assert.equal(await trace(lab, `${id}.unreadable-1`), before);
    const aside = (await lab.fresh().list()).items.find((s) =>
      s.id === `${id}.unreadable-1`
    );
    assert.match(aside?.unreadable ?? "", /set aside/);
  });
}

// Their heads are whole, and they seem to end as they should.
const SEEN_BY_READING = new Set([
  "cut off in its last line",
  "not UTF-8",
  "content of the wrong type",
]);

Deno.test("several unreadable files of one id are all set aside", async () => {
  await using lab = await JsonLab.create();
  for (const n of [1, 2, 3]) {
    await lab.put(id, `bad ${n}`);
    await lab.store.append(id, history([opened()]));
  }
  for (const n of [1, 2, 3]) {
    assert.equal(await lab.text(`${id}.unreadable-${n}`), `bad ${n}`);
  }
});

Deno.test("list() ignores what is no session", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, history([opened()]));
  await Deno.writeTextFile(`${lab.dir}/notes.txt`, "x");
  await Deno.writeTextFile(`${lab.dir}/notes.json`, "x");
  await Deno.writeTextFile(`${lab.dir}/.${id}.1.00000000.tmp`, "x");
  assert.deepEqual((await lab.store.list()).items.map((s) => s.id), [id]);
});

type Spoil = (lab: JsonLab) => Promise<void>;

function text(change: (text: string) => string): Spoil {
  return async (lab) => void await lab.put(id, change(await lab.text(id)));
}

// deno-lint-ignore no-explicit-any
function json(change: (file: any) => unknown): Spoil {
  return text((t) => JSON.stringify(change(JSON.parse(t))));
}

function field(name: string, value: unknown): Spoil {
  return json((file) => ({ ...file, [name]: value }));
}

function message(change: Readonly<Record<string, unknown>>): Spoil {
  return json(({ messages, ...file }) => ({
    ...file,
    messages: messages.with(2, { ...messages[2], ...change }),
  }));
}

async function run(command: string, ...args: string[]): Promise<void> {
  const { code } = await new Deno.Command(command, { args }).output();
  assert.equal(code, 0, command);
}

// What is there, without opening what would hang.
async function trace(lab: JsonLab, name: string): Promise<string> {
  const info = await Deno.lstat(lab.file(name));
  if (info.isSymlink) return await Deno.readLink(lab.file(name));
  if (!info.isFile) return `folder ${info.isDirectory}, pipe ${info.isFifo}`;
  if (info.size > 1e6) return `${info.size} bytes`;
  return await lab.text(name);
}
