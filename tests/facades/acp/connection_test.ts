import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { Connection } from "../../../facades/acp/wire/connection.ts";
import { ClientGone } from "../../../facades/acp/wire/output.ts";
import { RequestError } from "../../../facades/acp/wire/request_error.ts";
import { Wire } from "../../../facades/acp/wire/wire.ts";

/** A connection whose client is the test. */
class Lab {
  readonly connection: Connection;
  readonly sent: Record<string, unknown>[] = [];
  readonly over: Promise<void>;
  #input!: ReadableStreamDefaultController<Uint8Array>;

  constructor() {
    const wire = new Wire({
      input: new ReadableStream({ start: (c) => void (this.#input = c) }),
      write: (bytes) => {
        const lines = new TextDecoder().decode(bytes).trim().split("\n");
        this.sent.push(...lines.map((line) => JSON.parse(line)));
        return Promise.resolve();
      },
    }, { onEnd: () => {}, patienceMs: 0 });
    this.connection = new Connection(wire);
    this.over = this.connection.serve({
      answer: (_method, _params, signal) =>
        new Promise((_resolve, reject) => {
          const refuse = () => reject(new RequestError(-1, "taken back"));
          signal.addEventListener("abort", refuse);
        }),
      hear() {},
    });
  }

  say(message: object): void {
    const line = `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
    this.#input.enqueue(new TextEncoder().encode(line));
  }

  /** Ends its input once it was told `count` messages. */
  async end(count: number): Promise<void> {
    while (this.sent.length < count) await setTimeout(1);
    this.#input.close();
    await this.over;
  }
}

Deno.test("request() resolves to the result that bears its id, or throws the error", async () => {
  const t = new Lab();
  const { signal } = new AbortController();
  const first = t.connection.request("a", {}, signal);
  const second = t.connection.request("b", {}, signal);
  t.say({ id: 7, result: "nobody asked" });
  t.say({ id: 1, error: { code: -5, message: "no" } });
  t.say({ id: 0, result: 42 });
  await assert.rejects(second, { code: -5, message: "no" });
  assert.equal(await first, 42);
  await t.end(2);
});

Deno.test("request() that is aborted is taken back and waited for no more", async () => {
  const t = new Lab();
  const stop = new AbortController();
  const asked = t.connection.request("a", {}, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(asked, { message: "enough" });
  await assert.rejects(
    t.connection.request("b", {}, stop.signal),
    { message: "enough" },
  );
  t.say({ id: 0, result: "late" });
  await t.end(2);
  assert.deepEqual(t.sent, [
    { jsonrpc: "2.0", id: 0, method: "a", params: {} },
    { jsonrpc: "2.0", method: "$/cancel_request", params: { requestId: 0 } },
  ]);
});

Deno.test("request() has no answer to wait for once the client says nothing more", async () => {
  const t = new Lab();
  const { signal } = new AbortController();
  const asked = t.connection.request("a", {}, signal);
  const ended = t.end(1);
  await assert.rejects(asked, ClientGone);
  await ended;
  await assert.rejects(t.connection.request("b", {}, signal), ClientGone);
});

Deno.test("serve() aborts the signal of the request that is taken back, and of no other", async () => {
  const t = new Lab();
  t.say({ id: "a", method: "x" });
  t.say({ id: "b", method: "x" });
  t.say({ method: "$/cancel_request", params: { requestId: "b" } });
  t.say({ method: "$/cancel_request", params: { requestId: "c" } });
  t.say({ method: "$/cancel_request" });
  await t.end(1);
  assert.deepEqual(t.sent, [
    { jsonrpc: "2.0", id: "b", error: { code: -1, message: "taken back" } },
  ]);
});
