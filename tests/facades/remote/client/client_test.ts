import assert from "node:assert/strict";
import { Agent } from "../../../../core/agent.ts";
import { newId } from "../../../../core/id.ts";
import { MemoryStore } from "../../../../core/memory_store.ts";
import { contentText } from "../../../../core/message.ts";
import { replay } from "../../../../core/replay.ts";
import type { RemoteClient } from "../../../../facades/remote/client/client.ts";
import { items } from "../../../../facades/remote/client/items.ts";
import { RefusalError } from "../../../../facades/remote/client/refusal_error.ts";
import { ScriptedModel, type Step } from "../../../scripted_model.ts";
import { close, connect, serve, until } from "./lab.ts";
import { Network } from "./network.ts";

// Soon asks whether the network lives; to what lives it leaves the time to say so.
const quick = { patience: { connect: 60_000, quiet: 60, pong: 1_000 } };

Deno.test("a client sends what was said offline once it is back, in order and once", async () => {
  await using agent = makeAgent(["One.", "Two.", "Three."]);
  const server = await serve(agent);
  await using network = new Network(server.port);
  const client = connect(network);
  const id = await client.create();
  network.to = 1;
  network.cut();
  await until(client, () => client.connection !== "online");
  const said = ["a", "b", "c"].map((text) => client.say(text));
  assert.deepEqual(
    client.view?.pending.map((p) => p.content),
    ["a", "b", "c"],
  );
  network.to = server.port;
  client.wake();
  await Promise.all(said);
  await until(client, () => client.view?.state.turns === 3);
  assert.deepEqual(client.view?.pending, []);
  assert.deepEqual(await questions(agent, id), ["a", "b", "c"]);
  isTheSame(client, await agent.read(id));
  client.close();
  await close(server);
});

Deno.test("a client whose network is cut at any moment loses nothing and doubles nothing", async () => {
  const steps = Array.from({ length: 30 }, (_, i): Step => async () => {
    await sleep(Math.random() * 4);
    return `Answer number ${i} is a somewhat longer one.`;
  });
  await using agent = makeAgent(steps);
  const server = await serve(agent);
  await using network = new Network(server.port);
  const client = connect(network, { random: () => 0 });
  const id = await client.create();
  const said: Promise<void>[] = [];
  for (let i = 0; i < 30; i++) {
    said.push(client.say(`Question ${i}`));
    await sleep(Math.random() * 12);
    if (i % 2) network.cut();
    if (i % 5 === 0) client.wake();
  }
  await Promise.all(said);
  await until(client, () => client.view?.running === false);
  await until(client, () => client.view?.replaying === false);
  const asked = await questions(agent, id);
  assert.deepEqual(asked, said.map((_, i) => `Question ${i}`));
  isTheSame(client, await agent.read(id));
  client.close();
  await close(server);
});

Deno.test("a client notices a network that is dead, and comes back", async () => {
  await using agent = makeAgent(["Hello."]);
  const server = await serve(agent);
  await using network = new Network(server.port);
  const client = connect(network, quick);
  await client.create();
  network.die();
  await until(client, () => client.connection === "offline");
  network.live();
  await client.say("hi");
  await until(client, () => client.view?.state.turns === 1);
  client.close();
  await close(server);
});

Deno.test("a client goes on after a restart of the server, with a session nobody stored yet", async () => {
  const store = new Lasting();
  const first = makeAgent([], store);
  const one = await serve(first);
  await using network = new Network(one.port);
  const client = connect(network);
  const id = await client.create();
  network.to = 1;
  network.cut();
  await close(one);
  await first[Symbol.asyncDispose]();
  const said = client.say("hi");
  await using agent = makeAgent(["Hello.", "Again."], store);
  const two = await serve(agent);
  network.to = two.port;
  client.wake();
  await said;
  await until(client, () => client.view?.state.turns === 1);
  assert.equal(client.view?.session, id);
  assert.deepEqual(await questions(agent, id), ["hi"]);
  client.close();
  await close(two);
});

Deno.test("a client is refused with a wrong token, and tries no more", async () => {
  await using agent = makeAgent([]);
  const server = await serve(agent);
  const client = connect(server, { token: "not-the-right-token" });
  const attached = client.attach(newId());
  await until(client, () => client.connection === "refused");
  await assert.rejects(attached, RefusalError);
  await assert.rejects(
    client.send<"list">({ type: "list" }),
    /Cannot connect: Wrong token/,
  );
  client.close();
  await close(server);
});

Deno.test("a client shows what it showed before when there is no such session", async () => {
  await using agent = makeAgent(["Hello."]);
  const server = await serve(agent);
  const client = connect(server);
  const id = await client.create();
  await client.say("hi");
  await assert.rejects(
    client.attach(newId()),
    (error) => error instanceof RefusalError && error.code === "no_session",
  );
  assert.equal(client.view?.session, id);
  await until(client, () => client.view?.state.turns === 1);
  client.close();
  await close(server);
});

Deno.test("a client puts a long event together, and refuses what is too long to send", async () => {
  const long = "…".repeat(400_000);
  await using agent = makeAgent([long]);
  const server = await serve(agent);
  const client = connect(server);
  await client.create();
  await client.say("tell me all");
  await until(client, () => client.view?.state.turns === 1);
  const [answer] = client.view?.state.messages.slice(-1) ?? [];
  assert.equal(answer?.content, long);
  const pasted = "x".repeat(5 * 1024 * 1024);
  await assert.rejects(client.say(pasted), /at most/);
  assert.match(client.view?.pending[0]?.refused ?? "", /at most/);
  client.forget(client.view?.pending[0]?.id ?? "");
  assert.deepEqual(client.view?.pending, []);
  client.close();
  await close(server);
});

Deno.test("a client goes on where an earlier one was closed, with what that had on its way", async () => {
  await using agent = makeAgent(["One.", "Two."]);
  const server = await serve(agent);
  await using network = new Network(server.port);
  const first = connect(network);
  const id = await first.create();
  await first.say("a");
  await until(first, () => first.view?.state.turns === 1);
  network.to = 1;
  network.cut();
  await until(first, () => first.connection === "offline");
  first.say("b").catch(() => {}); // it is closed before it is answered
  const { copy, pending } = first;
  assert(copy);
  first.close();
  network.to = server.port;
  const kept = JSON.parse(JSON.stringify({ copy, pending }));
  const second = connect(network, kept);
  assert.equal(second.view?.state.turns, 1);
  assert.equal(second.view?.pending.length, 1);
  await until(second, () => second.view?.state.turns === 2);
  assert.deepEqual(await questions(agent, id), ["a", "b"]);
  assert.deepEqual(second.view?.pending, []);
  second.close();
  await close(server);
});

Deno.test("a client steers the running turn, and all see it at one place", async () => {
  const go = Promise.withResolvers<void>();
  const waits: Step = async () => {
    await go.promise;
    return "Both.";
  };
  await using agent = makeAgent([waits, "And that."]);
  const server = await serve(agent);
  const [one, two] = [connect(server), connect(server)];
  const id = await one.create();
  await one.say("first");
  await two.attach(id);
  assert.equal(two.view?.running, true);
  await two.say("and this");
  await until(one, () => one.view?.state.messages.length === 2);
  go.resolve();
  await until(one, () => one.view?.running === false);
  await until(two, () => two.view?.running === false);
  for (const client of [one, two]) {
    isTheSame(client, await agent.read(id));
    client.close();
  }
  await close(server);
});

Deno.test("a client goes on under the id its session moved to, with what was on its way", async () => {
  const store = new Lasting();
  await using agent = makeAgent(["One.", "Two.", "Three."], store);
  const server = await serve(agent);
  const client = connect(server);
  const id = await client.create();
  await client.say("a");
  await until(client, () => client.view?.state.turns === 1);
  {
    await using other = makeAgent(["From elsewhere."], store);
    await (await other.session(id))?.prompt("another process");
  }
  await Promise.all([client.say("b"), client.say("c")]);
  await until(client, () => client.view?.running === false);
  const to = client.view?.session ?? "";
  assert.notEqual(to, id);
  assert.deepEqual(await questions(agent, to), ["a", "b", "c"]);
  assert.deepEqual(client.view?.pending, []);
  isTheSame(client, await agent.read(to));
  client.close();
  await close(server);
});

function makeAgent(steps: readonly Step[], store = new MemoryStore()): Agent {
  return new Agent({ cwd: "/project", model: new ScriptedModel(steps), store });
}

/** Outlives the agent it was given to. */
class Lasting extends MemoryStore {
  override [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}

async function questions(agent: Agent, id: string): Promise<string[]> {
  const state = await agent.read(id);
  return state?.messages.flatMap((m) =>
    m.role === "user" ? [contentText(m.content)] : []
  ) ?? [];
}

function isTheSame(
  client: RemoteClient,
  state: Awaited<ReturnType<Agent["read"]>>,
): void {
  assert(client.view && state);
  const shown = items(client.view).map(({ key: _, ...item }) => item)
    .filter((i) => i.type !== "note");
  assert.deepEqual(
    shown,
    JSON.parse(JSON.stringify([...replay(state)])),
  );
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
