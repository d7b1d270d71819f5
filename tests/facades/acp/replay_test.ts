import { methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { object, string } from "zod/mini";
import { UserError } from "../../../core/error.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import { defineTool } from "../../../core/tool.ts";
import { planTool } from "../../../plugins/coding/plan.ts";
import { call, type Step } from "../../scripted_model.ts";
import { tools, untilAborted } from "../../core/setup.ts";
import { lab, type LabOptions, pick } from "./lab.ts";
import { view } from "./view.ts";

const { session } = methods.agent;

/** What the client showed live (with its own questions), and what a load shows. */
async function both(
  steps: readonly Step[],
  questions: readonly string[],
  options: LabOptions & { during?: (t: { cancel: () => void }) => void } = {},
): Promise<{ live: SessionUpdate[]; again: SessionUpdate[] }> {
  await using t = await lab(steps, {
    bundles: [{ tools: [...Object.values(tools(work)), noisy, planTool()] }],
    ...options,
  });
  const id = await t.open();
  const live: SessionUpdate[] = [];
  let from = t.updates.length;
  for (const question of questions) {
    const own = live.length;
    await t.ask(id, question).catch(() => {});
    const said = t.of(id, from);
    from = t.updates.length;
    // The client shows the question itself, under the id the record gives it.
    const state = await t.agent.read(id);
    const asked = state?.messages.find((m) =>
      m.role === "user" && m.content === question
    );
    if (asked && !question.startsWith("/")) {
      live.splice(own, 0, {
        sessionUpdate: "user_message_chunk",
        messageId: asked.id,
        content: { type: "text", text: question },
      });
    }
    live.push(...said);
  }
  await t.client.request(session.close, { sessionId: id });
  from = t.updates.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  return { live, again: t.of(id, from) };
}

const work = (text: string) =>
  text === "bad"
    ? Promise.resolve({ content: "It did\n```\nnot work", failed: true })
    : text === "throw"
    ? Promise.reject(new Error("It broke"))
    : Promise.resolve({
      content: `did ${text}`,
      locations: [{ path: `/project/${text}`, line: 3 }],
    });

const noisy = defineTool({
  name: "noisy",
  description: "Prints",
  kind: "execute",
  input: object({ text: string() }),
  plan: ({ text }) => ({
    title: `$ ${text}`,
    access: "auto",
    locations: [{ path: "/project/x" }],
  }),
  run({ text }, { output }) {
    for (const word of text.split(" ")) output(`${word}\n`);
    return Promise.resolve({ content: text });
  },
});

const entry = (status: string) => ({
  entries: [{ content: "Think", status }, { content: "Do", status: "pending" }],
});

const CASES: Record<
  string,
  [readonly Step[], readonly string[], LabOptions?]
> = {
  "text": [["Hello there, you"], ["hi"]],
  "thoughts": [[], ["hi"], {
    model: {
      async *stream() {
        yield { type: "thought", text: "Well, " };
        yield { type: "thought", text: "let me see" };
        yield { type: "text", text: "So." };
        await Promise.resolve();
        return {
          content: "So.",
          thought: "Well, let me see",
          stopReason: "end_turn",
        };
      },
    },
  }],
  "a call that runs by itself": [
    [{ content: "I look", toolCalls: [call("look", { text: "a" })] }, "ok"],
    ["hi"],
  ],
  "a call with a diff, allowed": [
    [{ toolCalls: [call("change", { text: "a" })] }, "ok"],
    ["hi"],
  ],
  "a call that was denied": [
    [{ toolCalls: [call("change", { text: "a" })] }, "ok"],
    ["hi"],
    { permit: () => pick("reject_once") },
  ],
  "a call that failed": [
    [{ toolCalls: [call("look", { text: "bad" })] }, "ok"],
    ["hi"],
  ],
  "a call that threw": [
    [{ toolCalls: [call("look", { text: "throw" })] }, "ok"],
    ["hi"],
  ],
  "a call that prints while it runs": [
    [{ toolCalls: [call("noisy", { text: "one two three" })] }, "ok"],
    ["hi"],
  ],
  "a call of an unknown tool": [
    [{ toolCalls: [call("nothing", { a: 1 })] }, "ok"],
    ["hi"],
  ],
  "a call with wrong arguments": [
    [{ toolCalls: [call("look", { text: 5 })] }, "ok"],
    ["hi"],
  ],
  "several calls at once": [
    [
      {
        toolCalls: [
          call("look", { text: "a" }),
          call("run", { text: "b" }),
          call("look", { text: "c" }),
        ],
      },
      "ok",
    ],
    ["hi"],
  ],
  "plans, of which the last counts": [
    [
      { toolCalls: [call("plan", entry("pending"))] },
      { toolCalls: [call("plan", entry("completed"))] },
      "ok",
    ],
    ["hi"],
  ],
  "a failed turn that had looked": [
    [{ toolCalls: [call("look", { text: "a" })] }, new Error("Gone")],
    ["hi"],
  ],
  "several turns": [
    ["one", { content: "two", toolCalls: [call("look", { text: "a" })] }, "3"],
    ["first", "second"],
  ],
  "the answers of commands, which are no part of it": [
    ["one"],
    ["first"],
  ],
};

for (const [name, [steps, questions, options]] of Object.entries(CASES)) {
  Deno.test(`a replayed thread looks as the live one: ${name}`, async () => {
    const { live, again } = await both(steps, questions, options);
    const seen = view(live);
    assert.ok(seen.entries.length > 1);
    assert.deepEqual(view(again), seen);
  });
}

Deno.test("a replayed thread looks as the live one: a turn that was cancelled", async () => {
  const running = Promise.withResolvers<void>();
  await using t = await lab([
    { content: "I look", toolCalls: [call("look", { text: "a" })] },
    untilAborted(running.resolve),
  ]);
  const id = await t.open();
  const asked = t.ask(id, "hi");
  await running.promise;
  await t.client.notify(session.cancel, { sessionId: id });
  await asked;
  const live = t.of(id);
  const from = t.updates.length;
  await t.client.request(session.load, {
    sessionId: id,
    cwd: t.dir,
    mcpServers: [],
  });
  const again = view(t.of(id, from));
  assert.deepEqual(again.entries.slice(1), view(live).entries);
});

for (const capable of [false, true]) {
  Deno.test(`a summary looks the same live and replayed, compaction ${capable ? "shown" : "unknown"}`, async () => {
    await using t = await lab(["1", "2", "3", "What was said"], {
      capabilities: capable ? { session: { compaction: {} } } : {},
    });
    const id = await t.open();
    for (const q of ["a", "b", "c"]) await t.ask(id, q);
    let from = t.updates.length;
    await t.ask(id, "/compact");
    const [live] = view(t.of(id, from)).entries;
    from = t.updates.length;
    await t.client.request(session.load, {
      sessionId: id,
      cwd: t.dir,
      mcpServers: [],
    });
    const [again] = view(t.of(id, from)).entries;
    assert.deepEqual(again, live);
    assert.equal(
      live?.kind,
      capable ? "compaction_update" : "agent_thought_chunk",
    );
  });
}

Deno.test("a call whose result could not be saved ends under the title it had", async () => {
  class Full extends MemoryStore {
    full = true;
    override async append(id: string, events: readonly SessionEvent[]) {
      const result = events.some((e) =>
        e.type === "message" && e.message.role === "tool"
      );
      if (this.full && result) {
        this.full = false;
        throw new UserError("Cannot save: the disk is full");
      }
      await super.append(id, events);
    }
  }
  await using t = await lab(
    [{ toolCalls: [call("change", { text: "a" })] }, "ok"],
    { store: new Full() },
  );
  const id = await t.open();
  await assert.rejects(t.ask(id, "hi"), { code: -32603 });
  await t.ask(id, "again");
  const [shown] = view(t.of(id)).entries;
  const { title, kind, status, content } = shown ?? {};
  assert.deepEqual([title, kind, status], ["Change a", "edit", "failed"]);
  const [diff] = content as { type: string }[];
  assert.equal(diff?.type, "diff");
});

Deno.test("only the last plan is told again, and no plan is a tool call", async () => {
  const { live, again } = await both(
    [
      { toolCalls: [call("plan", entry("pending"))] },
      { toolCalls: [call("plan", entry("in_progress"))] },
      "ok",
    ],
    ["hi"],
  );
  const kinds = (updates: SessionUpdate[]) =>
    updates.map((u) => u.sessionUpdate)
      .filter((k) => k === "plan" || k.startsWith("tool"));
  assert.deepEqual(kinds(live), ["plan", "plan"]);
  assert.deepEqual(kinds(again), ["plan"]);
});
