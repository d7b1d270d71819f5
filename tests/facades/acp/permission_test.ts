import {
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { call } from "../../scripted_model.ts";
import { heard } from "../../core/setup.ts";
import { lab, pick } from "./lab.ts";

const { session } = methods.agent;

/** Runs one call that must be asked about; the statuses the client saw, and the outcome. */
async function decided(
  permit: (
    request: RequestPermissionRequest,
  ) => RequestPermissionResponse | Promise<RequestPermissionResponse>,
) {
  await using t = await lab([
    { toolCalls: [call("run", { text: "x", scope: "x" })] },
    "ok",
  ], { permit });
  const id = await t.open();
  await t.ask(id, "go");
  const statuses = t.of(id).flatMap((u) =>
    u.sessionUpdate === "tool_call" || u.sessionUpdate === "tool_call_update"
      ? [u.status]
      : []
  );
  const state = await t.agent.read(id);
  const result = state?.messages.find((m) => m.role === "tool");
  return { statuses, result };
}

Deno.test("a call is announced as pending before it is asked about, and runs after (google-gemini/gemini-cli#21783, anomalyco/opencode#14301)", async () => {
  await using t = await lab([
    { toolCalls: [call("change", { text: "a.txt" })] },
    "ok",
  ], {
    permit({ toolCall }) {
      const seen = t.updates.map((u) => u.update).filter((u) =>
        "toolCallId" in u && u.toolCallId === toolCall.toolCallId
      );
      assert.deepEqual(seen.map((u) => u.sessionUpdate), ["tool_call"]);
      assert.ok("status" in seen[0]! && seen[0].status === "pending");
      assert.equal(toolCall.status, "pending");
      assert.equal(toolCall.title, "Change a.txt");
      assert.equal(toolCall.content?.[0]?.type, "diff");
      return pick("allow_once");
    },
  });
  const id = await t.open();
  await t.ask(id, "go");
  assert.equal(t.permissions.length, 1);
  const statuses = t.of(id).flatMap((u) =>
    "status" in u && "toolCallId" in u ? [u.status] : []
  );
  assert.deepEqual(statuses, ["pending", "in_progress", "completed"]);
});

Deno.test("only options of the four kinds are offered (esengine/DeepSeek-Reasonix#5775)", async () => {
  await using t = await lab([
    { toolCalls: [call("run", { text: "x", scope: "npm test" })] },
    { toolCalls: [call("run", { text: "y" })] },
    "ok",
  ]);
  await t.ask(await t.open(), "go");
  const [scoped, plain] = t.permissions.map((p) => p.options);
  assert.deepEqual(scoped?.map((o) => o.kind), [
    "allow_once",
    "allow_always",
    "reject_once",
  ]);
  assert.ok(scoped?.[1]?.name.includes("npm test"));
  assert.deepEqual(plain?.map((o) => o.kind), ["allow_once", "reject_once"]);
});

Deno.test("a denied call fails and never runs", async () => {
  const { statuses, result } = await decided(() => pick("reject_once"));
  assert.deepEqual(statuses, ["pending", "failed"]);
  assert.equal(result?.approval, "denied");
});

for (
  const [name, answer] of Object.entries<
    () => RequestPermissionResponse | Promise<RequestPermissionResponse>
  >({
    "an unknown option": () => pick("whatever"),
    "an unknown outcome": () => ({ outcome: { outcome: "perhaps" } }) as never,
    "an empty answer": () => ({}) as never,
    "an error": () => Promise.reject(new Error("no dialog here")),
  })
) {
  Deno.test(`${name} is a no`, async () => {
    const { statuses, result } = await decided(answer);
    assert.deepEqual(statuses, ["pending", "failed"]);
    assert.equal(result?.approval, "denied");
  });
}

Deno.test("a cancelled question cancels the call", async () => {
  const { statuses, result } = await decided(
    () => ({ outcome: { outcome: "cancelled" } }),
  );
  assert.deepEqual(statuses, ["pending", "failed"]);
  assert.equal(result?.status, "cancelled");
});

Deno.test("what is always allowed is asked once a session", async () => {
  const run = () => ({
    toolCalls: [call("run", { text: "x", scope: "x" })],
  });
  await using t = await lab([run(), run(), "ok", run(), "ok"], {
    permit: () => pick("allow_always"),
  });
  await t.ask(await t.open(), "go");
  assert.equal(t.permissions.length, 1);
  await t.ask(await t.open(), "go");
  assert.equal(t.permissions.length, 2);
});

Deno.test("session/cancel withdraws the open question", async () => {
  const withdrawn = Promise.withResolvers<void>();
  await using t = await lab([{ toolCalls: [call("run", { text: "x" })] }], {
    permit: (_request, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          withdrawn.resolve();
          resolve({ outcome: { outcome: "cancelled" } });
        });
      }),
  });
  const id = await t.open();
  const live = await t.agent.session(id);
  const asking = live && heard(live, "approval_asked");
  const asked = t.ask(id, "go");
  await asking;
  await t.pipe.until((m) => m.method === "session/request_permission");
  await t.client.notify(session.cancel, { sessionId: id });
  assert.deepEqual(await asked, { stopReason: "cancelled" });
  await withdrawn.promise;
  const result = live?.state.messages.find((m) => m.role === "tool");
  assert.equal(result?.status, "cancelled");
});

Deno.test("a client that leaves with a question open has denied it", async () => {
  const asked = Promise.withResolvers<void>();
  await using t = await lab([{ toolCalls: [call("run", { text: "x" })] }], {
    permit: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const id = await t.open();
  t.ask(id, "go").catch(() => {});
  await asked.promise;
  t.pipe.end();
  await t.left;
  const state = await t.agent.store.read(id);
  const result = state?.messages.find((m) => m.role === "tool");
  assert.equal(result?.approval, "denied");
  assert.equal(state?.open, undefined);
});
