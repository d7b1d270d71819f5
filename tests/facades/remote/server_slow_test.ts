import assert from "node:assert/strict";
import type { Update } from "../../../core/event.ts";
import type { Session } from "../../../core/session.ts";
import { heldMemory } from "./memory.ts";
import { upgrade } from "./raw_http.ts";
import { until } from "../../until.ts";
import { serverLab, TOKEN } from "./server_lab.ts";

const MiB = 1024 * 1024;

Deno.test("a client that stops reading is dropped at its bound, the others get everything, and memory returns", async () => {
  await using lab = await serverLab([], { serve: { buffer: 2 * MiB } });
  const good = await lab.client();
  const session = await good.begin();
  const shared = (await lab.agent.session(session))!;
  for (let n = 0; n < 20; n++) say(shared, 16, n); // warm
  await until(() => good.events().length === 20);
  const before = await heldMemory();
  using stuck = await Stuck.attach(lab.server.port, session);
  await until(() => lab.server.clients === 2);
  let sent = 20;
  await until(() => {
    if (lab.server.clients === 2) say(shared, 64, sent++);
    return lab.server.clients === 1;
  }, "that it is dropped");
  await until(() => good.events().length === sent);
  assert.deepEqual(good.events().map(numberOf), range(sent));
  shared.show({ type: "running", running: false }); // the answer is over
  const { told, frames } = good;
  told.length = frames.length = 0;
  const after = await heldMemory();
  assert(after - before < 3, `${after - before} MB stayed`);
  assert(stuck.isHeld);
});

Deno.test("a replay waits for a client that reads slowly, and what happens meanwhile follows it", async () => {
  const answers = Array.from({ length: 500 }, (_, n) => `${n}-`.repeat(7000));
  await using lab = await serverLab(answers, {
    serve: { replay: { events: 9000, bytes: 32 * MiB }, buffer: MiB },
  });
  const one = await lab.client();
  const session = await one.begin();
  for (const n of answers.keys()) {
    const from = one.told.length;
    await one.do({ type: "prompt", session, content: `q ${n}` });
    await one.idle(from);
  }
  using slow = await Stuck.attach(lab.server.port, session);
  await until(() => one.told.some((m) => m.type === "presence" && m.count > 1));
  const shared = (await lab.agent.session(session))!;
  for (let n = 0; n < 100; n++) say(shared, 1, n);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(lab.server.clients, 2, "12 MB of replay are no reason");
  const all = await slow.readAll((end) => end.includes('"text":"99 '));
  for (const answer of answers) assert(all.includes(`"${answer}"`));
  assert(!all.slice(0, all.indexOf('"last":true')).includes('"text":"0 '));
  const text = all.slice(all.indexOf('"last":true'));
  assert(text.includes('"text":"0 '), "live events follow the replay");
  for (let n = 1; n < 100; n++) {
    assert(text.indexOf(`"text":"${n} `) > text.indexOf(`"text":"${n - 1} `));
  }
});

Deno.test("a message that no record has room for stands at its place on every screen, and says where to read it", async () => {
  const long = "x".repeat(300_000);
  await using lab = await serverLab(["Before.", long, "After."], {
    serve: { replay: { events: 1000, bytes: 100_000 }, buffer: 64_000 },
  });
  const one = await lab.client();
  const session = await one.begin();
  for (const content of ["1", "2", "3"]) {
    const from = one.told.length;
    await one.do({ type: "prompt", session, content });
    await one.idle(from);
  }
  const other = await lab.client();
  const replayed = (await other.attach(session)).flatMap((s) => s.events)
    .map(({ event }) => event);
  for (const events of [one.events(), replayed]) {
    assert.deepEqual(answers(events), [
      "Before.",
      "[0.3 MiB, too long for other screens: mm sessions show prints it where the server runs]",
      "After.",
    ]);
  }
  const state = await lab.agent.read(session);
  assert(state?.messages.some((m) => m.content === long), "it is in the store");
});

Deno.test("a client that is gone without a word is missed by the heartbeat", async () => {
  await using lab = await serverLab([], { serve: { heartbeat: 1 } });
  const good = await lab.client();
  const session = await good.begin();
  using _ = await Stuck.attach(lab.server.port, session);
  await until(() => lab.server.clients === 2);
  await until(() => lab.server.clients === 1, "the heartbeat");
  assert.equal((await good.do({ type: "ping" })).type, "ack");
});

Deno.test("a server that closes tells its clients, and waits for no dead one", async () => {
  const lab = await serverLab();
  const good = await lab.client();
  const session = await good.begin();
  using _ = await Stuck.attach(lab.server.port, session);
  await until(() => lab.server.clients === 2);
  await lab[Symbol.asyncDispose]();
  assert.equal((await good.closed).code, 1001);
});

function say(session: Session, kib: number, n: number): void {
  const text = `${n} ${"x".repeat(kib * 1024)}`;
  session.show({ type: "text", messageId: "m", text });
}

function answers(events: readonly Update[]): unknown[] {
  return events.flatMap((e) =>
    e.type === "message" && e.message.role === "assistant"
      ? [e.message.content]
      : []
  );
}

function numberOf(event: unknown): number {
  const { text } = event as { text: string };
  return Number(text.slice(0, text.indexOf(" ")));
}

function range(length: number): number[] {
  return Array.from({ length }, (_, n) => n);
}

/** A client that attaches and then reads nothing. */
class Stuck implements Disposable {
  readonly #connection: Deno.TcpConn;
  isHeld = true;

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async attach(port: number, session: string): Promise<Stuck> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const headers = { "Sec-WebSocket-Protocol": `mm.v1, bearer.${TOKEN}` };
    await write(connection, new TextEncoder().encode(upgrade(port, headers)));
    const answer = new Uint8Array(1000);
    await connection.read(answer);
    const message = JSON.stringify({ id: "a", type: "attach", session });
    await write(connection, frame(message));
    return new Stuck(connection);
  }

  /** Reads again until `enough`. */
  async readAll(enough: (text: string) => boolean): Promise<string> {
    const decoder = new TextDecoder("latin1");
    const buffer = new Uint8Array(256 * 1024);
    let text = "";
    while (!enough(text.slice(-5000))) {
      const read = await this.#connection.read(buffer);
      if (read === null) throw new Error("The connection ended");
      text += decoder.decode(buffer.subarray(0, read), { stream: true });
    }
    return text;
  }

  [Symbol.dispose](): void {
    this.isHeld = false;
    this.#connection.close();
  }
}

/** A text frame as clients send it, with a mask of zeros. */
function frame(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array([0x81, 0x80 | bytes.length, 0, 0, 0, 0, ...bytes]);
}

async function write(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}
