import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { call } from "../../scripted_model.ts";
import type { RawClient } from "./raw_client.ts";
import { serverLab } from "./server_lab.ts";

const asks = { content: "", toolCalls: [call("run", { text: "x" })] };

Deno.test("a second client's answer settles an approval for all", async () => {
  await using lab = await serverLab([asks, "Done."]);
  const [one, two] = [await lab.client(), await lab.client()];
  const session = await one.begin();
  await two.attach(session);
  await one.do({ type: "prompt", session, content: "go" });
  const { id: request } = await asked(one);
  const approve = { type: "approve", session, request };
  const yes = { ...approve, outcome: "allow_once" };
  const ack = await two.do(yes, "a-1");
  assert.equal(ack.settled, true);
  const late = await one.do({ ...approve, outcome: "reject" });
  assert.equal(late.settled, false);
  assert.equal((await two.do(yes, "a-1")).settled, true, "sent again");
  for (const client of [one, two]) {
    const settled = await client.event((e) => e.type === "approval_settled");
    assert(settled.type === "approval_settled");
    assert.equal(settled.decision.outcome, "allow_once");
    await client.idle();
  }
  assert.deepEqual(await approvals(lab.agent, session), ["allowed"]);
});

Deno.test("a rejection takes its reason to the model", async () => {
  await using lab = await serverLab([asks, "I see."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "go" });
  const { id: request } = await asked(client);
  const reason = "use y instead";
  await client.do({
    type: "approve",
    session,
    request,
    outcome: "reject",
    reason,
  });
  await client.idle();
  assert.match(JSON.stringify(lab.model.requests.at(-1)), /use y instead/);
  assert.deepEqual(await approvals(lab.agent, session), ["denied"]);
});

Deno.test("an approval waits while nobody is there, and who comes back answers it", async () => {
  await using lab = await serverLab([asks, "Done."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "go" });
  const request = await asked(client);
  await client.close();

  const back = await lab.client();
  const replay = await back.attach(session);
  const { events, state } = replay.at(-1)!;
  assert.deepEqual(state.approvals, [request]);
  const told = events.map(({ event }) => event);
  const questions = told.filter((e) => e.type === "approval_asked");
  assert.deepEqual(questions, [{ type: "approval_asked", request }]);
  const at = told.findIndex((e) => e.type === "tool_started");
  assert(at >= 0 && at < told.findIndex((e) => e.type === "approval_asked"));
  await back.do({
    type: "approve",
    session,
    request: request.id,
    outcome: "allow_once",
  });
  await back.idle();
  assert.deepEqual(await approvals(lab.agent, session), ["allowed"]);
});

Deno.test("a replay has settled approvals with their outcome, and none as open", async () => {
  await using lab = await serverLab([asks, "Done."]);
  const client = await lab.client();
  const session = await client.begin();
  await client.do({ type: "prompt", session, content: "go" });
  const { id: request } = await asked(client);
  await client.do({ type: "approve", session, request, outcome: "reject" });
  await client.idle();
  const replay = await client.attach(session);
  const told = replay.flatMap((s) => s.events.map(({ event }) => event));
  const shown = told.flatMap((e) =>
    e.type === "approval_asked"
      ? [`asked ${e.request.id}`]
      : e.type === "approval_settled"
      ? [`${e.decision.outcome} ${e.requestId}`]
      : []
  );
  assert.deepEqual(shown, [`asked ${request}`, `reject ${request}`]);
  assert.deepEqual(replay.at(-1)?.state.approvals, []);
});

Deno.test("who attaches later with a position hears of an approval that is still open once", async () => {
  await using lab = await serverLab([asks, "Done."]);
  const client = await lab.client();
  const session = await client.begin();
  const epoch = (await client.attach(session))[0]!.epoch;
  await client.do({ type: "prompt", session, content: "go" });
  const request = await asked(client);
  const replay = await client.attach(session, { since: 2, epoch });
  assert.equal(replay[0]?.since, 2);
  const questions = replay.flatMap((s) => s.events.map(({ event }) => event))
    .filter((e) => e.type === "approval_asked");
  assert.deepEqual(questions, [{ type: "approval_asked", request }]);
  await client.do({ type: "cancel", session });
  const settled = await client.event((e) => e.type === "approval_settled");
  assert(settled.type === "approval_settled");
  assert.equal(settled.decision.outcome, "cancelled");
});

async function asked(client: RawClient): Promise<ApprovalRequest> {
  const event = await client.event((e) => e.type === "approval_asked");
  assert(event.type === "approval_asked");
  return event.request;
}

async function approvals(
  agent: Awaited<ReturnType<typeof serverLab>>["agent"],
  session: string,
): Promise<string[]> {
  const state = await agent.read(session);
  return state!.messages.flatMap((m) => m.role === "tool" ? [m.approval] : []);
}
