import { methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Summary } from "../../../core/store.ts";
import { call, type Step } from "../../scripted_model.ts";
import { heard, tools, untilAborted } from "../../core/setup.ts";
import { type Lab, lab } from "./lab.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";

const { session } = methods.agent;

/** A lab in which the conversation of `steps` was had, let go of, and is loaded. */
async function reloaded(
  steps: readonly Step[],
  questions: readonly string[],
): Promise<{ t: Lab; id: string; load: () => Promise<SessionUpdate[]> }> {
  const t = await lab(steps);
  const id = await t.open();
  for (const question of questions) {
    await t.ask(id, question).catch(() => {});
  }
  await t.client.request(session.close, { sessionId: id });
  return {
    t,
    id,
    async load() {
      const from = t.updates.length;
      const params = { sessionId: id, cwd: t.dir, mcpServers: [] };
      await t.client.request(session.load, params);
      return t.of(id, from);
    },
  };
}

Deno.test("session/load tells everything before it answers (managoat/fountain#657)", async () => {
  const { t, id } = await reloaded(["one", "two"], ["first", "second"]);
  await using _ = t;
  const at = t.pipe.out.length;
  t.pipe.send({
    jsonrpc: "2.0",
    id: "load",
    method: "session/load",
    params: { sessionId: id, cwd: t.dir, mcpServers: [] },
  });
  await t.pipe.answer("load");
  const kinds = t.pipe.out.slice(at).map(kind);
  assert.deepEqual(kinds, [
    "user_message_chunk",
    "agent_message_chunk",
    "user_message_chunk",
    "agent_message_chunk",
    "answer",
  ]);
  // Then, and not before, what belongs to an open session.
  await t.pipe.until((m) => kind(m) === "session_info_update", at + 5);
  assert.deepEqual(t.pipe.out.slice(at + 5).map(kind), [
    "available_commands_update",
    "session_info_update",
  ]);
});

Deno.test("session/load writes nothing: three times leave the file as it was (google-gemini/gemini-cli#28775)", async () => {
  const { t, id, load } = await reloaded(["one", "two"], ["first", "second"]);
  await using _ = t;
  const file = join(t.dir, ".mm/sessions", `${id}.json`);
  const before = await Deno.readFile(file);
  const { mtime } = await Deno.stat(file);
  for (let n = 0; n < 3; n++) {
    assert.equal((await load()).length, 4);
    await t.client.request(session.close, { sessionId: id });
  }
  assert.deepEqual(await Deno.readFile(file), before);
  assert.deepEqual((await Deno.stat(file)).mtime, mtime);
});

Deno.test("session/load tells all of a long conversation (anomalyco/opencode#4870, #30760)", async () => {
  const many = Array.from({ length: 300 }, (_, i) => `n${i}`);
  const { t, load } = await reloaded(many, many);
  await using _ = t;
  const updates = await load();
  assert.equal(updates.length, 600);
  assert.deepEqual(updates.filter(isUser).map(textOf), many);
});

Deno.test("session/load gives each call its title and kind, first and whole (zed-industries/codex-acp#191, agentclientprotocol/codex-acp#206, everruns/yolop#272, zed-industries/zed#61667, #64538)", async () => {
  const asked = call("change", { text: "a.txt" });
  const { t, load } = await reloaded([{ toolCalls: [asked] }, "ok"], ["go"]);
  await using _ = t;
  const updates = await load();
  assert.deepEqual(updates[1], {
    sessionUpdate: "tool_call",
    toolCallId: asked.id,
    name: "change",
    title: "Change a.txt",
    kind: "edit",
    status: "completed",
    rawInput: { text: "a.txt" },
    rawOutput: "did a.txt",
    locations: [],
    content: [{
      type: "diff",
      path: "/project/a.txt",
      oldText: null,
      newText: "a.txt",
    }],
  });
  assert.ok(updates.every((u) => u.sessionUpdate !== "tool_call_update"));
});

Deno.test("session/load shows the user's own blocks, not what the model reads (esengine/DeepSeek-Reasonix#6882)", async () => {
  await using t = await lab(["ok"]);
  const id = await t.open();
  const prompt = [
    { type: "text", text: "What is in " },
    { type: "resource_link", uri: "file:///a.ts", name: "a.ts" },
    {
      type: "resource_link",
      uri: "https://example.com/b",
      name: "b",
      title: "B",
      description: "The second",
      mimeType: "text/html",
      size: 0,
    },
    {
      type: "resource",
      resource: { uri: "file:///b.ts", mimeType: "text/x", text: "let b;" },
    },
  ] as const;
  await t.client.request(session.prompt, {
    sessionId: id,
    prompt: [...prompt],
  });
  await t.client.request(session.close, { sessionId: id });
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  const mine = t.of(id).filter(isUser);
  assert.deepEqual(mine.map((u) => "content" in u && u.content), prompt);
  assert.equal(
    new Set(mine.map((u) => "messageId" in u && u.messageId)).size,
    1,
  );
});

Deno.test("session/load shows what the client added to its blocks", async () => {
  await using t = await lab(["ok", "ok"]);
  const id = await t.open();
  const added = {
    annotations: { audience: ["user" as const], priority: 1 },
    _meta: { "editor.example/line": 3 },
  };
  const prompts = [
    [{ type: "text" as const, text: "alone", ...added }],
    [
      { type: "text" as const, text: "two" },
      { type: "resource_link" as const, uri: "a:b", name: "c", ...added },
    ],
  ];
  for (const prompt of prompts) {
    await t.client.request(session.prompt, { sessionId: id, prompt });
  }
  await t.client.request(session.close, { sessionId: id });
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  const mine = t.of(id).filter(isUser);
  assert.deepEqual(
    mine.map((u) => "content" in u && u.content),
    prompts.flat(),
  );
});

Deno.test("session/load refuses another folder, and takes the same one by another name (anomalyco/opencode#31964)", async () => {
  const { t, id } = await reloaded(["one"], ["first"]);
  await using _ = t;
  await using elsewhere = await TempDir.make();
  const link = join(elsewhere.path, "link");
  await Deno.symlink(t.dir, link);
  const load = (cwd: string) =>
    t.client.request(session.load, { sessionId: id, cwd, mcpServers: [] });
  await assert.rejects(load(elsewhere.path), { code: -32602 });
  await assert.rejects(load("."), { code: -32602 });
  await load(`${t.dir}/`);
  await load(link);
});

Deno.test("session/load of what is not there is an error (NousResearch/hermes-agent#92252)", async () => {
  const { t, id } = await reloaded(["one"], ["first"]);
  await using _ = t;
  const load = (sessionId: string) =>
    t.client.request(session.load, {
      sessionId,
      cwd: t.dir,
      mcpServers: [],
    });
  const unknown = "20260101-000000-00000000";
  for (const sessionId of [unknown, "", "../x", `${id}/../${id}`, "a\0b"]) {
    await assert.rejects(load(sessionId), {
      code: -32002,
      data: { sessionId },
    });
  }
  const file = join(t.dir, ".mm/sessions", `${id}.json`);
  await Deno.writeTextFile(file, "{}");
  await assert.rejects(load(id), { code: -32603, message: /\w/ });
  assert.equal(await Deno.readTextFile(file), "{}");
});

Deno.test("session/load shows no error and runs nothing", async () => {
  let ran = 0;
  const { run } = tools(() => {
    ran++;
    return Promise.resolve({ content: "ran" });
  });
  await using t = await lab([
    { toolCalls: [call("run", { text: "rm" })] },
    "done",
    new Error("The server fell over"),
  ], { bundles: [{ tools: [run] }] });
  const id = await t.open();
  await t.ask(id, "first");
  await assert.rejects(t.ask(id, "second"));
  await t.client.request(session.close, { sessionId: id });
  const from = t.updates.length;
  const asked = t.permissions.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  assert.equal(ran, 1);
  assert.equal(t.permissions.length, asked);
  const text = JSON.stringify(t.of(id, from));
  assert.ok(!text.includes("fell over"), text);
  assert.ok(!text.includes("second"), text);
});

Deno.test("session/load in mid-turn shares the running session and its cancel (agentclientprotocol/claude-agent-acp#415, topcheer/ggcode#1095)", async () => {
  const running = Promise.withResolvers<void>();
  let stops = 0;
  let starts = 0;
  await using t = await lab([
    { content: "Begun", toolCalls: [call("look", { text: "a" })] },
    untilAborted(running.resolve),
    "after",
  ], {
    bundles: [{
      tools: Object.values(tools()),
      serve: () => {
        starts++;
        return Promise.resolve({
          tools: [],
          problems: [],
          [Symbol.asyncDispose]: () => Promise.resolve(void stops++),
        });
      },
    }],
  });
  const id = await t.open();
  const live = await t.agent.session(id);
  const asked = t.ask(id, "go");
  await running.promise;
  const from = t.updates.length;
  for (let n = 0; n < 3; n++) {
    await t.client.request(session.load, {
      sessionId: id,
      cwd: t.dir,
      mcpServers: [],
    });
  }
  assert.equal(await t.agent.session(id), live);
  assert.equal(t.of(id, from).filter(isUser).length, 3);
  await t.client.notify(session.cancel, { sessionId: id });
  assert.deepEqual(await asked, { stopReason: "cancelled" });
  assert.deepEqual(await t.ask(id, "again"), { stopReason: "end_turn" });
  await t.client.request(session.close, { sessionId: id });
  assert.deepEqual([starts, stops], [1, 1]);
});

Deno.test("session/load in mid-answer tells what was said, then goes on", async () => {
  const half = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  await using t = await lab([], {
    model: {
      async *stream() {
        yield { type: "text", text: "One " };
        half.resolve();
        await go.promise;
        yield { type: "text", text: "two" };
        return { content: "One two", stopReason: "end_turn" };
      },
    },
  });
  const id = await t.open();
  const asked = t.ask(id, "count");
  await half.promise;
  await t.heard((u) => u.sessionUpdate === "agent_message_chunk");
  const from = t.updates.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  assert.deepEqual(t.of(id, from).map(textOf), ["count", "One "]);
  go.resolve();
  await asked;
  assert.equal(
    t.of(id, from).filter((u) => u.sessionUpdate === "agent_message_chunk")
      .map(textOf).join(""),
    "One two",
  );
});

Deno.test("session/load in mid-call shows the call that runs, and asks again what is open", async () => {
  const answers: (() => void)[] = [];
  await using t = await lab([
    { toolCalls: [call("run", { text: "x" })] },
    "done",
  ], {
    permit: () =>
      new Promise((resolve) => {
        answers.push(() =>
          resolve({ outcome: { outcome: "selected", optionId: "allow_once" } })
        );
      }),
  });
  const id = await t.open();
  const live = await t.agent.session(id);
  const waiting = live && heard(live, "approval_asked");
  const asked = t.ask(id, "go");
  await waiting;
  await t.heard((u) => u.sessionUpdate === "tool_call");
  const from = t.updates.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  assert.deepEqual(
    t.of(id, from).map((u) => u.sessionUpdate),
    ["user_message_chunk", "tool_call"],
  );
  await until(() => answers.length === 2);
  answers[1]?.();
  assert.deepEqual(await asked, { stopReason: "end_turn" });
});

Deno.test("a conversation another program changed goes on under a fresh id, and says so", async () => {
  await using t = await lab(["one", "two", "three"]);
  const id = await t.open();
  await t.ask(id, "first");
  const state = await t.agent.store.read(id);
  await t.agent.store.append(id, [{
    type: "titled",
    title: "theirs",
    seq: (state?.seq ?? 0) + 1,
    at: new Date().toISOString(),
  }]);
  assert.deepEqual(await t.ask(id, "second"), { stopReason: "end_turn" });
  assert.ok(JSON.stringify(t.of(id)).includes("Another program changed"));
  const titles = (await t.agent.list()).items.map((s: Summary) => s.title);
  assert.deepEqual(titles.toSorted(), ["first", "theirs"]);
  // Loaded anew, the id is theirs again.
  const from = t.updates.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  assert.deepEqual(t.of(id, from).map(textOf), ["first", "one"]);
});

Deno.test("two loads at once tell the conversation twice, one after the other", async () => {
  const { t, id } = await reloaded(["one", "two"], ["first", "second"]);
  await using _ = t;
  const from = t.updates.length;
  const params = { sessionId: id, cwd: t.dir, mcpServers: [] };
  await Promise.all([
    t.client.request(session.load, params),
    t.client.request(session.load, params),
  ]);
  const told = ["first", "one", "second", "two"];
  assert.deepEqual(t.of(id, from).map(textOf), [...told, ...told]);
});

Deno.test("a title the model gives is told when it is there", async () => {
  await using t = await lab(["Hello", "A short greeting"], {
    agent: { titles: "model" },
  });
  await t.ask(await t.open(), "hi");
  await t.heard((u) =>
    u.sessionUpdate === "session_info_update" && u.title === "A short greeting"
  );
});

function kind(message: Record<string, unknown>): string {
  const { update } = (message.params ?? {}) as { update?: SessionUpdate };
  return update?.sessionUpdate ?? "answer";
}

function isUser(update: SessionUpdate): boolean {
  return update.sessionUpdate === "user_message_chunk";
}

function textOf(update: SessionUpdate): string {
  return "content" in update && update.content && "text" in update.content
    ? update.content.text
    : "";
}
