import { methods } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import type { Model } from "../../../core/model.ts";
import { call, ScriptedModel } from "../../scripted_model.ts";
import { lab } from "./lab.ts";

const { session } = methods.agent;

Deno.test("modes and config options say the same, whichever is set", async () => {
  await using t = await lab();
  const opened = await t.client.request(session.new, {
    cwd: t.dir,
    mcpServers: [],
  });
  const { sessionId } = opened;
  assert.deepEqual(
    opened.modes?.availableModes.map((m) => m.id),
    ["ask", "auto-edit", "read-only"],
  );
  assert.equal(opened.modes?.currentModeId, "ask");
  await t.client.request(session.setMode, { sessionId, modeId: "auto-edit" });
  assert.deepEqual(
    t.of(sessionId).map((u) => u.sessionUpdate),
    ["current_mode_update", "config_option_update"],
  );
  assert.equal(modeOf(t.of(sessionId).at(-1)), "auto-edit");
  const { configOptions } = await t.client.request(session.setConfigOption, {
    sessionId,
    configId: "mode",
    value: "read-only",
  });
  assert.equal(modeOf({ configOptions }), "read-only");
  assert.deepEqual(t.of(sessionId).at(-2), {
    sessionUpdate: "current_mode_update",
    currentModeId: "read-only",
  });
  assert.equal((await t.agent.session(sessionId))?.settings.mode, "read");
});

Deno.test("a mode set in mid-turn holds for the next call", async () => {
  await using t = await lab([
    { toolCalls: [call("change", { text: "a" })] },
    { toolCalls: [call("change", { text: "b" })] },
    { toolCalls: [call("change", { text: "c" })] },
    "ok",
  ], {
    async permit({ sessionId }) {
      await t.client.request(session.setMode, {
        sessionId,
        modeId: "auto-edit",
      });
      return { outcome: { outcome: "selected", optionId: "allow_once" } };
    },
  });
  await t.ask(await t.open(), "go");
  assert.equal(t.permissions.length, 1);
});

Deno.test("read-only denies changes without asking", async () => {
  await using t = await lab([
    { toolCalls: [call("look", { text: "a" })] },
    { toolCalls: [call("change", { text: "b" })] },
    "ok",
  ]);
  const id = await t.open();
  await t.client.request(session.setMode, {
    sessionId: id,
    modeId: "read-only",
  });
  await t.ask(id, "go");
  assert.equal(t.permissions.length, 0);
  const state = await t.agent.read(id);
  const results = state?.messages.filter((m) => m.role === "tool");
  assert.deepEqual(results?.map((m) => m.status), ["completed", "failed"]);
});

Deno.test("a configured mode that is not offered otherwise is, and can be come back to", async () => {
  await using t = await lab([], { agent: { mode: "all" } });
  const { sessionId, modes } = await t.client.request(session.new, {
    cwd: t.dir,
    mcpServers: [],
  });
  assert.equal(modes?.currentModeId, "all");
  await t.client.request(session.setMode, { sessionId, modeId: "ask" });
  await t.client.request(session.setMode, { sessionId, modeId: "all" });
});

Deno.test("unknown modes, options and values are refused", async () => {
  await using t = await lab();
  const sessionId = await t.open();
  const set = (configId: string, value: string) =>
    t.client.request(session.setConfigOption, { sessionId, configId, value });
  for (const modeId of ["", "yolo", "all", "none", "edit"]) {
    await assert.rejects(
      t.client.request(session.setMode, { sessionId, modeId }),
      { code: -32602 },
    );
    await assert.rejects(set("mode", modeId), { code: -32602 });
  }
  await assert.rejects(set("nothing", "x"), { code: -32602 });
  await assert.rejects(set("model", "unknown"), { code: -32602 });
  await assert.rejects(
    t.client.request(session.setConfigOption, {
      sessionId,
      configId: "mode",
      type: "boolean",
      value: true,
    }),
    { code: -32602 },
  );
  await assert.rejects(
    t.client.request(session.setMode, { sessionId: "x", modeId: "ask" }),
    { code: -32002 },
  );
});

Deno.test("the model can be changed, by option and by command", async () => {
  const named = (name: string) =>
    Object.assign(new ScriptedModel([`I am ${name}`]), { name }) as never;
  await using t = await lab([], {
    model: { models: () => Promise.resolve(["scripted", "big", "small"]) },
    agent: { openModel: (name) => Promise.resolve(named(name)) },
  });
  const { sessionId, configOptions } = await t.client.request(session.new, {
    cwd: t.dir,
    mcpServers: [],
  });
  const option = configOptions?.find((o) => o.id === "model");
  assert.deepEqual(
    option?.type === "select" && option.options.map((o) => o.name),
    ["scripted", "big", "small"],
  );
  const after = await t.client.request(session.setConfigOption, {
    sessionId,
    configId: "model",
    value: "big",
  });
  assert.equal(modelOf(after), "big");
  await t.ask(sessionId, "who are you?");
  assert.ok(JSON.stringify(t.of(sessionId)).includes("big"));
  await t.ask(sessionId, "/model small");
  const updates = t.of(sessionId).filter((u) =>
    u.sessionUpdate === "config_option_update"
  );
  assert.equal(modelOf(updates.at(-1)), "small");
});

Deno.test("a server that is slow to list its models holds up no session", async () => {
  const names = Promise.withResolvers<readonly string[]>();
  await using t = await lab([], { model: { models: () => names.promise } });
  const { sessionId, configOptions } = await t.client.request(session.new, {
    cwd: t.dir,
    mcpServers: [],
  });
  assert.equal(modelOf({ configOptions }), "scripted");
  names.resolve(["scripted", "other"]);
  const update = await t.heard((u) =>
    u.sessionUpdate === "config_option_update"
  );
  assert.ok(JSON.stringify(update).includes('"other"'));
  assert.ok(sessionId);
});

function modeOf(holder: unknown): unknown {
  return valueOf(holder, "mode");
}

function modelOf(holder: unknown): unknown {
  return valueOf(holder, "model");
}

function valueOf(holder: unknown, id: string): unknown {
  const { configOptions } = holder as {
    configOptions: { id: string; currentValue: unknown }[];
  };
  return configOptions.find((o) => o.id === id)?.currentValue;
}

Deno.test("how much the model thinks can be chosen where it has levels", async () => {
  const at = (level: string): Partial<Model> => ({
    thought: {
      level,
      levels: ["low", "high"],
      at: (next) =>
        Object.assign(new ScriptedModel([`I think ${next}`]), at(next)),
    },
  });
  await using t = await lab([], { model: at("low") });
  const sessionId = await t.open();
  const set = (value: string) =>
    t.client.request(session.setConfigOption, {
      sessionId,
      configId: "thought_level",
      value,
    });
  const after = await set("high");
  assert.equal(valueOf(after, "thought_level"), "high");
  await assert.rejects(set("most"), { code: -32602 });
  await t.ask(sessionId, "think");
  assert.ok(JSON.stringify(t.of(sessionId)).includes("high"));
  // The other sessions go on as they were.
  assert.equal(t.agent.model.thought?.level, "low");
});
