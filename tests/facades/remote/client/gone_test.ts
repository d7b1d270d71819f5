import assert from "node:assert/strict";
import { Agent } from "../../../../core/agent.ts";
import { MemoryStore } from "../../../../core/memory_store.ts";
import { contentText } from "../../../../core/message.ts";
import { openRemoteAgent } from "../../../../facades/remote/client/open_remote_agent.ts";
import type { RemoteClient } from "../../../../facades/remote/client/client.ts";
import type { RemoteServer } from "../../../../facades/remote/server/remote_server.ts";
import { ScriptedModel } from "../../../scripted_model.ts";
import { close, connect, serve, TOKEN, until } from "./lab.ts";
import { Network } from "./network.ts";

/** A store that outlives the process, as far as anyone can tell. */
class Lasting extends MemoryStore {
  override readonly supports = { durable: true, bounded: false, live: true };
}

const REMOVED =
  "This conversation was removed: what you see is all that is left of it, until you leave";

Deno.test("a conversation that is removed stays to be read where it is shown, and nothing brings it back", async () => {
  await using lab = await Lab.start();
  const { agent, server } = lab;
  const one = lab.connect();
  const id = await one.create();
  await one.say("hello");
  await until(one, () => one.view?.state.turns === 1);
  const two = lab.connect();
  await two.attach(id);
  await two.send<"delete">({ type: "delete", session: id });
  await until(one, () => one.view?.gone === true);
  await until(two, () => two.view?.gone === true);
  for (const client of [one, two]) {
    assert.deepEqual(said(client), ["hello", "One."]);
    assert.deepEqual(notes(client), [REMOVED]);
  }
  await assert.rejects(one.say("still there?"), /Cannot find session/);
  assert.equal(one.view?.pending[0]?.content, "still there?");
  lab.network.cut();
  await until(one, () => one.connection !== "online");
  one.wake();
  await until(one, () => one.connection === "online");
  await two.send<"ping">({ type: "ping" });
  assert.deepEqual(said(one), ["hello", "One."]);
  assert.deepEqual((await agent.list()).items, []);
  // It is not there, and that is what was wanted.
  await two.send<"delete">({ type: "delete", session: id });
  assert.equal(server.clients, 2);
});

Deno.test("a conversation that another process removed is not brought back by what is said next", async () => {
  await using lab = await Lab.start();
  const { agent, store } = lab;
  const client = lab.connect();
  const id = await client.create();
  await client.say("hello");
  await until(client, () => client.view?.running === false);
  await store.remove(id); // no object here hears of it
  await assert.rejects(client.say("still there?"), /it was removed/);
  await until(client, () => client.view?.gone === true);
  assert.deepEqual(said(client), ["hello", "One."]);
  assert.equal(client.view?.pending[0]?.content, "still there?");
  assert.deepEqual((await agent.list()).items, []);
  // The id is free: what begins there now is left alone.
  await client.create(id);
  await client.say("anew");
  await until(client, () => client.view?.state.turns === 1);
  assert.deepEqual(said(client), ["anew", "Two."]);
  assert.equal((await agent.list()).items.length, 1);
});

Deno.test("who was away when a conversation was removed is told, and keeps what was not sent", async () => {
  await using lab = await Lab.start();
  const client = lab.connect();
  const id = await client.create();
  await client.say("hello");
  await until(client, () => client.view?.running === false);
  lab.network.to = 1;
  lab.network.cut();
  await until(client, () => client.connection !== "online");
  const sent = client.say("are you there?");
  await lab.agent.remove(id);
  lab.network.to = lab.server.port;
  client.wake();
  await assert.rejects(sent, /it was removed/);
  assert.equal(client.view?.gone, true);
  assert.deepEqual(said(client), ["hello", "One."]);
  assert.match(notes(client)[0] ?? "", /it was removed/);
  assert.equal(client.view?.pending[0]?.content, "are you there?");
  assert.deepEqual((await lab.agent.list()).items, []);
});

Deno.test("a conversation that makes room for a new one is told to do so, and the new one is shown", async () => {
  await using lab = await Lab.start();
  const client = lab.connect();
  const id = await client.create();
  await client.say("hello");
  await until(client, () => client.view?.running === false);
  const session = await lab.agent.session(id);
  await session?.rotate();
  await until(client, () => notes(client).length > 0);
  assert.deepEqual(notes(client), [
    "A new conversation was begun here on another screen; the one before is in the list",
  ]);
  assert.deepEqual(said(client), []);
  await client.say("hello again");
  await until(client, () => client.view?.state.turns === 1);
  assert.deepEqual(said(client), ["hello again", "Two."]);
});

/** An agent that is served, and a network to it. */
class Lab implements AsyncDisposable {
  readonly store: Lasting;
  readonly agent: Agent;
  readonly server: RemoteServer;
  readonly network: Network;
  readonly #clients: RemoteClient[] = [];

  private constructor(store: Lasting, agent: Agent, server: RemoteServer) {
    this.store = store;
    this.agent = agent;
    this.server = server;
    this.network = new Network(server.port);
  }

  static async start(): Promise<Lab> {
    const store = new Lasting();
    const model = new ScriptedModel(["One.", "Two."]);
    const agent = new Agent({ cwd: "/project", model, store });
    return new Lab(store, agent, await serve(agent));
  }

  connect(): RemoteClient {
    const client = connect(this.network);
    this.#clients.push(client);
    return client;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.close();
    await this.network[Symbol.asyncDispose]();
    await close(this.server);
    await this.agent[Symbol.asyncDispose]();
  }
}

function said({ view }: RemoteClient): string[] {
  return view?.state.messages.flatMap((m) =>
    m.role === "user" || m.role === "assistant" ? [contentText(m.content)] : []
  ) ?? [];
}

function notes({ view }: RemoteClient): string[] {
  return view?.notes.map((note) => note.text) ?? [];
}

Deno.test("an attached screen hears that nothing runs in a conversation that was removed", async () => {
  await using agent = new Agent({
    cwd: Deno.cwd(),
    model: new ScriptedModel(["Hello."]),
  });
  const server = await serve(agent);
  const remote = await openRemoteAgent({
    url: `http://127.0.0.1:${server.port}/`,
    token: TOKEN,
    cwd: (there) => there,
  });
  const session = remote.create();
  const running: boolean[] = [];
  const told = Promise.withResolvers<void>();
  session.subscribe((update) => {
    if (update.type === "running") running.push(update.running);
    if (update.type === "notice" && /removed/.test(update.text)) told.resolve();
  });
  await session.prompt("hi");
  await agent.remove(session.id);
  await told.promise;
  assert.equal(session.running, false);
  assert.equal(running.at(-1), false);
  remote.close();
  await close(server);
});
