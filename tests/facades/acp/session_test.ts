import { methods } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { MemoryStore } from "../../../core/memory_store.ts";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { call } from "../../scripted_model.ts";
import { untilAborted } from "../../core/setup.ts";
import { lab } from "./lab.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";

const { session } = methods.agent;

Deno.test("session/new writes nothing before the first question", async () => {
  await using t = await lab(["hi"]);
  const id = await t.open();
  assert.match(id, /^\d{8}-\d{6}-[0-9a-f]{8}$/);
  await assert.rejects(Deno.stat(join(t.dir, ".mm")), Deno.errors.NotFound);
  await t.ask(id, "hello");
  // google-gemini/gemini-cli#29288: saved under the id that was returned.
  await Deno.stat(join(t.dir, ".mm/sessions", `${id}.json`));
});

Deno.test("session/new wants a cwd that is absolute and there (agentclientprotocol/claude-agent-acp#749)", async () => {
  await using t = await lab();
  for (const cwd of ["src", ".", "", join(t.dir, "nowhere"), "/\0"]) {
    await assert.rejects(t.open({ cwd }), { code: -32602 });
  }
  const file = join(t.dir, "file");
  await Deno.writeTextFile(file, "");
  await assert.rejects(t.open({ cwd: file }), { code: -32602 });
  await assert.rejects(
    t.open({ additionalDirectories: ["src"] }),
    { code: -32602 },
  );
});

Deno.test("a path that no system call takes is refused with the reason, wherever it stands", async () => {
  await using t = await lab();
  // The first has a name that is too long, the second too many of them.
  for (const cwd of [`/${"x".repeat(300)}`, "/x".repeat(5000)]) {
    const refused = {
      code: -32602,
      message: /Cannot use \w+: its path is longer than the system takes$/,
    };
    const params = { cwd, mcpServers: [] };
    await assert.rejects(t.open({ cwd }), refused);
    await assert.rejects(t.open({ additionalDirectories: [cwd] }), refused);
    await assert.rejects(t.client.request(session.list, { cwd }), refused);
    for (const method of [session.load, session.resume]) {
      await assert.rejects(
        t.client.request(method, { ...params, sessionId: idOf(1) }),
        refused,
      );
    }
  }
});

Deno.test("a session works in its own cwd, wherever the agent was started", async () => {
  await using t = await lab([
    { toolCalls: [call("look", { text: "x" })] },
    "k",
  ]);
  const cwd = join(t.dir, "sub");
  const more = join(t.dir, "more");
  await Deno.mkdir(cwd);
  await Deno.mkdir(more);
  const id = await t.open({
    cwd: `${cwd}/`,
    additionalDirectories: [more, cwd],
  });
  await t.ask(id, "look");
  const live = await t.agent.session(id);
  assert.deepEqual(live?.settings.roots, [cwd, more]);
  assert.equal(live?.state.cwd, cwd);
});

Deno.test("session/list filters by folder before it pages (agentclientprotocol/codex-acp#329)", async () => {
  const store = new MemoryStore();
  await using t = await lab([], { store });
  const other = join(t.dir, "other");
  await Deno.mkdir(other);
  for (let n = 0; n < 130; n++) {
    const cwd = n % 2 ? t.dir : other;
    await store.append(idOf(n), opened(n, cwd));
  }
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await t.client.request(session.list, {
      cwd: t.dir,
      ...(cursor !== undefined && { cursor }),
    });
    assert.ok(page.sessions.every((s) => s.cwd === t.dir));
    assert.ok(page.nextCursor !== null && page.nextCursor !== "");
    seen.push(...page.sessions.map((s) => s.sessionId));
    cursor = page.nextCursor;
    pages++;
  } while (cursor !== undefined);
  assert.equal(pages, 2);
  assert.deepEqual(
    seen,
    Array.from({ length: 65 }, (_, i) => idOf(129 - 2 * i)),
  );
});

Deno.test("session/list goes on from its cursor when sessions come and go (NousResearch/hermes-agent#13450, aaif-goose/goose#9199)", async () => {
  const store = new MemoryStore();
  await using t = await lab([], { store });
  for (let n = 0; n < 60; n++) await store.append(idOf(n), opened(n, t.dir));
  const first = await t.client.request(session.list, {});
  await store.append(idOf(99), opened(99, t.dir));
  await store.remove(first.sessions.at(-1)?.sessionId ?? "");
  const { nextCursor: cursor = "" } = first;
  const second = await t.client.request(session.list, { cursor });
  assert.equal(first.sessions.length, 50);
  assert.deepEqual(
    second.sessions.map((s) => s.sessionId),
    Array.from({ length: 10 }, (_, i) => idOf(9 - i)),
  );
  for (const bad of ["x", "bm8=", first.sessions[0]?.sessionId ?? ""]) {
    await assert.rejects(
      t.client.request(session.list, { cursor: bad }),
      { code: -32602 },
    );
  }
});

Deno.test("session/list needs no session and no folder, and gives an empty list where there is nothing", async () => {
  await using t = await lab();
  assert.deepEqual(await t.client.request(session.list, {}), { sessions: [] });
  assert.deepEqual(
    await t.client.request(session.list, { cwd: join(t.dir, "nowhere") }),
    { sessions: [] },
  );
  await assert.rejects(
    t.client.request(session.list, { cwd: "relative" }),
    { code: -32602 },
  );
});

Deno.test("session/list tells of what cannot be read", async () => {
  await using t = await lab(["hi"]);
  const id = await t.open();
  await t.ask(id, "hello");
  const broken = idOf(7);
  await Deno.writeTextFile(
    join(t.dir, ".mm/sessions", `${broken}.json`),
    "{ broken",
  );
  const { sessions } = await t.client.request(session.list, {});
  assert.match(
    sessions.find((s) => s.sessionId === broken)?.title ?? "",
    /^\(.+\)$/,
  );
});

Deno.test("session/close cancels what runs and keeps the conversation", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab([
    { content: "Part", toolCalls: [call("look", { text: "a" })] },
    untilAborted(running.resolve),
  ]);
  const id = await t.open();
  const asked = t.ask(id, "hello");
  await running.promise;
  await t.client.request(session.close, { sessionId: id });
  assert.deepEqual(await asked, { stopReason: "cancelled" });
  await assert.rejects(t.ask(id, "more"), { code: -32002 });
  const { sessions } = await t.client.request(session.list, {});
  assert.equal(sessions.length, 1);
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
});

Deno.test("session/close and session/delete do not wait for a title", async () => {
  const steps = ["Hello", untilAborted(), "Hello", untilAborted()];
  await using t = await lab(steps, { agent: { titles: "model" } });
  for (const method of [session.close, session.delete]) {
    const sessionId = await t.open();
    const requests = t.model.requests.length;
    await t.ask(sessionId, "hi");
    await until(() => t.model.requests.length === requests + 2);
    await t.client.request(method, { sessionId });
  }
});

for (const method of [session.close, session.delete]) {
  Deno.test(`${method} behind a load ends the load, too: nothing is told any more`, async () => {
    await using t = await lab(["Hello"]);
    const sessionId = await t.open();
    await t.ask(sessionId, "hi");
    const here = { sessionId, cwd: t.dir, mcpServers: [] };
    const loading = t.client.request(session.load, here).catch(() => {});
    await t.client.request(method, { sessionId });
    const from = t.updates.length;
    await loading;
    await setTimeout(150);
    assert.deepEqual(t.of(sessionId, from), []);
    await assert.rejects(t.ask(sessionId, "more"), { code: -32002 });
  });
}

Deno.test("session/close of an unknown session is told", async () => {
  await using t = await lab();
  t.pipe.send({
    jsonrpc: "2.0",
    id: "c",
    method: "session/close",
    params: { sessionId: "nope" },
  });
  assert.deepEqual((await t.pipe.answer("c")).error, {
    code: -32002,
    message: "There is no such session",
    data: { sessionId: "nope" },
  });
});

Deno.test("session/delete forgets, in mid-turn too, and twice is no error", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab(["hi", untilAborted(running.resolve)]);
  const id = await t.open();
  await t.ask(id, "hello");
  const asked = t.ask(id, "more");
  await running.promise;
  await t.client.request(session.delete, { sessionId: id });
  assert.deepEqual(await asked, { stopReason: "cancelled" });
  assert.deepEqual(await t.client.request(session.list, {}), { sessions: [] });
  const files = [...Deno.readDirSync(join(t.dir, ".mm/sessions"))]
    .filter((f) => f.name.endsWith(".json"));
  assert.deepEqual(files, []);
  for (const sessionId of [id, idOf(1), "../../etc/passwd", ""]) {
    t.pipe.send({
      jsonrpc: "2.0",
      id: `d${sessionId}`,
      method: "session/delete",
      params: { sessionId },
    });
    assert.deepEqual((await t.pipe.answer(`d${sessionId}`)).result, {});
  }
});

Deno.test("session/resume restores without telling anything again", async () => {
  await using temp = await TempDir.make();
  const dir = temp.path;
  {
    await using t = await lab(["one"], { dir });
    await t.ask(await t.open(), "first");
  }
  await using t = await lab(["two"], { dir });
  const { sessions: [stored] } = await t.client.request(session.list, {});
  const id = stored?.sessionId ?? "";
  const opened = await t.client.request(session.resume, {
    sessionId: id,
    cwd: dir,
  });
  assert.equal(opened.modes?.currentModeId, "ask");
  assert.deepEqual(t.of(id), []);
  await t.ask(id, "second");
  const said = t.model.requests[0]?.messages.map((m) => m.content);
  assert.deepEqual(said?.slice(1), ["first", "one", "second"]);
  await t.heard((u) => u.sessionUpdate === "available_commands_update");
  assert.ok(
    t.of(id).every((u) => u.sessionUpdate !== "user_message_chunk"),
  );
});

Deno.test("many sessions of one process answer side by side", async () => {
  await using t = await lab(Array.from({ length: 40 }, () => "fine"));
  const ids = await Promise.all(Array.from({ length: 40 }, () => t.open()));
  assert.equal(new Set(ids).size, 40);
  const ends = await Promise.all(ids.map((id) => t.ask(id, `I am ${id}`)));
  assert.ok(ends.every((e) => e.stopReason === "end_turn"));
  for (const id of ids) {
    const state = await t.agent.read(id);
    assert.equal(state?.messages[1]?.content, `I am ${id}`);
  }
});

Deno.test("a session made in the terminal's store is listed, loaded and continued", async () => {
  await using temp = await TempDir.make();
  const dir = temp.path;
  await using store = new JsonStore(join(dir, ".mm/sessions"));
  await store.append(idOf(3), opened(3, dir));
  await using t = await lab(["and more"], { dir });
  const { sessions: [stored] } = await t.client.request(session.list, {
    cwd: dir,
  });
  const id = stored?.sessionId ?? "";
  assert.equal(id, idOf(3));
  assert.equal(stored?.title, "question 3");
  await t.client.request(session.load, {
    sessionId: id,
    cwd: `${dir}/`,
    mcpServers: [],
  });
  await t.ask(id, "go on");
  const state = await store.read(id);
  assert.deepEqual(
    state?.messages.filter((m) => m.role !== "system").map((m) => m.content),
    ["question 3", "answer 3", "go on", "and more"],
  );
});

function idOf(n: number): string {
  return `20261201-${String(n).padStart(6, "0")}-0000000${n % 10}`;
}

function opened(n: number, cwd: string) {
  const at = new Date(Date.UTC(2026, 11, 1, 0, 0, n)).toISOString();
  return [
    { type: "opened", cwd, model: "m", seq: 1, at },
    {
      type: "message",
      message: { role: "user", id: `u${n}`, content: `question ${n}` },
      seq: 2,
      at,
    },
    {
      type: "message",
      message: { role: "assistant", id: `a${n}`, content: `answer ${n}` },
      seq: 3,
      at,
    },
    { type: "settled", reason: "end_turn", seq: 4, at },
  ] as const;
}
