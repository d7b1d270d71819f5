/**
 * What `remote.ts` measures, in a process of its own: `mm serve` on a session
 * that the benchmark fills, or (`bare`) nothing but `ws`. Orders come as lines
 * on stdin, each is answered by a line on stdout.
 */
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
// @ts-types="@types/ws"
import { type WebSocket, WebSocketServer } from "ws";
import { Agent } from "../../core/agent.ts";
import { checkOptions } from "../../core/config.ts";
import type { Session } from "../../core/session.ts";
import { Options } from "../../facades/remote/server/options.ts";
import { openServer } from "../../facades/remote/server/remote_server.ts";
import { ScriptedModel } from "../../tests/scripted_model.ts";

/** What one of the two does. */
interface Subject {
  readonly port: number;
  /** A session's id, where there are some. */
  readonly session: string;
  /** Tells all who listen `text`. */
  tell(text: string): void;
  /** Makes what the next who asks is sent; its bytes. */
  fill(): Promise<number>;
  clients(): number;
}

const MESSAGE = 4096;

const FULL = 8 * 1024 * 1024;

async function served(): Promise<Subject> {
  const count = Math.ceil(FULL / MESSAGE) + 200;
  const answers = new Array(count).fill({ content: "x".repeat(MESSAGE) });
  const agent = new Agent({ cwd: "/", model: new ScriptedModel(answers) });
  const token = "a-token-for-benchmarks";
  const server = await openServer(
    agent,
    checkOptions(Options, { port: 0, token, heartbeat: 3600 }, ["serve"]),
  );
  const session = agent.create();
  await session.begin();
  return {
    port: server.port,
    session: session.id,
    tell: (text) => session.show({ type: "text", messageId: "m", text }),
    async fill() {
      await fillUp(session, count);
      session.show({ type: "running", running: false });
      return FULL;
    },
    clients: () => server.clients,
  };
}

async function fillUp(session: Session, count: number): Promise<void> {
  // Nobody watches, so this takes no time worth a word.
  for (let n = 0; n < count; n++) await session.prompt("?");
}

async function bare(): Promise<Subject> {
  const http = createServer();
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    handleProtocols: () => "mm.v1",
  });
  const active = new Set<WebSocket>();
  // Each its own memory, as a record's events have.
  const slices = Array.from(
    { length: FULL / (256 * 1024) },
    () => Buffer.alloc(256 * 1024, "x"),
  );
  http.on("upgrade", (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (client) => {
      client.on("error", () => {});
      client.on("close", () => active.delete(client));
      client.on("message", (data) => {
        const message = JSON.parse(String(data));
        if (message.since !== undefined) return void active.add(client);
        for (const slice of slices) client.send(slice, { binary: false });
        client.send('{"last":true');
      });
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as { port: number };
  return {
    port,
    session: "",
    tell(text) {
      // As much as `mm serve` sends, and made once for all as it does.
      const event = { type: "text", messageId: "m", text };
      const session = "20261201-101500-0123abcd";
      const message = { type: "event", session, seq: 1, event };
      const frame = Buffer.from(JSON.stringify(message));
      for (const client of active) client.send(frame, { binary: false });
    },
    fill: () => Promise.resolve(FULL),
    clients: () => sockets.clients.size,
  };
}

const subject = Deno.args[0] === "bare" ? await bare() : await served();
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
console.log(JSON.stringify({ port: subject.port, session: subject.session }));
const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
let rest = "";
for await (const piece of lines) {
  const orders = (rest + piece).split("\n");
  rest = orders.pop() ?? "";
  for (const order of orders) console.log(JSON.stringify(await obey(order)));
}

async function obey(order: string): Promise<unknown> {
  const [verb, count = "0", pause = "0"] = order.split(" ");
  switch (verb) {
    case "tell":
      for (let n = 0; n < Number(count); n++) {
        subject.tell(`${performance.timeOrigin + performance.now()} `);
        await new Promise((resolve) => setTimeout(resolve, Number(pause)));
      }
      return true;
    case "flood": {
      // Until somebody is dropped.
      const clients = subject.clients();
      const text = "x".repeat(64 * 1024);
      let told = 0;
      while (subject.clients() === clients && told < 10_000) {
        subject.tell(text);
        told++;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return told;
    }
    case "fill":
      return await subject.fill();
    case "memory": {
      for (let n = 0; n < 3; n++) {
        collect();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const { heapUsed, external } = Deno.memoryUsage();
      return (heapUsed + external) / 1e6;
    }
    default:
      return subject.clients();
  }
}
