import assert from "node:assert/strict";
import { Agent } from "../../core/agent.ts";
import { replay } from "../../core/replay.ts";
import { HeldTimers } from "../held_timers.ts";
import { ScriptedModel, type Step } from "../scripted_model.ts";
import { until } from "../until.ts";

const hangs: Step = (_request, signal) =>
  new Promise((_resolve, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason))
  );

Deno.test("leave() waits for no title that hangs, or as long as it is told", async () => {
  const model = new ScriptedModel(["Hello.", hangs]);
  await using agent = new Agent({ cwd: "/project", model, titles: "model" });
  const session = agent.create();
  await session.prompt("hi");
  await session.leave();
  using patience = new HeldTimers(50);
  const left = session.leave(50);
  await until(() => patience.waiting === 1);
  patience.fire();
  await left;
  assert.equal((await agent.read(session.id))?.turns, 1);
});

Deno.test("leave() keeps a title that comes in time", async () => {
  const model = new ScriptedModel(["Hello.", "A greeting"]);
  await using agent = new Agent({ cwd: "/project", model, titles: "model" });
  const session = agent.create();
  await session.prompt("hi");
  await session.leave(3_600_000);
  assert.equal((await agent.read(session.id))?.title, "A greeting");
});

Deno.test("leave() cancels the running turn and keeps what it said; replay() tells that it was cancelled", async () => {
  const begun = Promise.withResolvers<void>();
  const model = new ScriptedModel(["A long answer of many words", "Not cut."]);
  await using agent = new Agent({ cwd: "/project", model });
  const session = agent.create();
  session.subscribe((update) => {
    if (update.type === "text") begun.resolve();
  });
  const turn = session.prompt("go on");
  await begun.promise;
  await session.leave();
  assert.equal((await turn).status, "cancelled");
  await session.prompt("again");
  const answers = [...replay(session.state)]
    .flatMap((i) => i.type === "assistant" ? [i.cancelled ?? false] : []);
  assert.deepEqual(answers, [true, false]);
});
