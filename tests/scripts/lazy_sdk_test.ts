import * as sdk from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { lazily } from "../../scripts/compile/lazily.ts";
import { lazySdk } from "../../scripts/compile/lazy_sdk.ts";
import { TempDir } from "../temp_dir.ts";

Deno.test("lazily() makes what it stands for once, and not before it is looked at", () => {
  let made = 0;
  const value = lazily(() => ({ n: ++made }));
  assert.equal(made, 0);
  assert.ok("n" in value);
  assert.deepEqual([value.n, value.n], [1, 1]);
});

Deno.test("lazySdk() leaves no schema that is made before it is used", async () => {
  await using dir = await TempDir.make();
  const code = await Deno.readTextFile(await lazySdk(dir.path));
  const schemas = code.match(/^var z[A-Z]\w* = .*/gm) ?? [];
  assert.ok(schemas.length > 150, `${schemas.length}`);
  assert.deepEqual(schemas.filter((s) => !s.includes(" = lazily(() => ")), []);
});

Deno.test("lazySdk() answers as the SDK does, whatever is left out of params or replaced in them", async () => {
  await using dir = await TempDir.make();
  const lazy = await import(pathToFileURL(await lazySdk(dir.path)).href);
  using theirs = new Echo(sdk);
  using ours = new Echo(lazy);
  for (const [method, whole] of Object.entries(PARAMS)) {
    for (const params of [whole, ...variants(whole)]) {
      assert.deepEqual(
        await ours.answer(method, params),
        await theirs.answer(method, params),
        `${method} ${JSON.stringify(params)}`,
      );
    }
  }
});

/** An agent that answers each request with its params, as it got them. */
class Echo implements Disposable {
  readonly #writer: WritableStreamDefaultWriter<sdk.AnyMessage>;
  readonly #reader: ReadableStreamDefaultReader<sdk.AnyMessage>;
  readonly #connection: sdk.AgentConnection;

  constructor({ agent }: typeof sdk) {
    const input = new TransformStream<sdk.AnyMessage>();
    const output = new TransformStream<sdk.AnyMessage>();
    const app = agent({ name: "echo" });
    for (const method of Object.keys(PARAMS)) {
      const answer = ({ params }: { params: unknown }) => params as never;
      app.onRequest(method as "session/new", answer);
    }
    const { readable } = input;
    this.#connection = app.connect({ readable, writable: output.writable });
    this.#writer = input.writable.getWriter();
    this.#reader = output.readable.getReader();
  }

  async answer(method: string, params: unknown): Promise<unknown> {
    const request = { jsonrpc: "2.0", id: 1, method, params };
    await this.#writer.write(request as sdk.AnyMessage);
    return (await this.#reader.read()).value;
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

const opening = {
  cwd: "/a",
  additionalDirectories: ["/b"],
  mcpServers: [
    { name: "a", command: "b", args: ["c"], env: [{ name: "d", value: "e" }] },
    { type: "http", name: "a", url: "b", headers: [{ name: "c", value: "d" }] },
  ],
};

/** What a client may send, in full. */
const PARAMS = {
  initialize: {
    protocolVersion: 1,
    clientCapabilities: {
      fs: { readTextFile: true, writeTextFile: true },
      session: { notices: {}, compaction: {} },
      auth: { terminal: true },
      terminal: true,
    },
    clientInfo: { name: "a", version: "b" },
  },
  authenticate: { methodId: "a" },
  "session/new": opening,
  "session/load": { ...opening, sessionId: "a" },
  "session/resume": { ...opening, sessionId: "a" },
  "session/list": { cwd: "/a", cursor: "b" },
  "session/close": { sessionId: "a" },
  "session/delete": { sessionId: "a" },
  "session/prompt": {
    sessionId: "a",
    prompt: [
      { type: "text", text: "a", annotations: { audience: ["user"] } },
      { type: "image", data: "a", mimeType: "b", uri: "c" },
      { type: "resource_link", uri: "a", name: "b", size: 1 },
      { type: "resource", resource: { uri: "a", mimeType: "b", text: "c" } },
      { type: "resource", resource: { uri: "a", blob: "c" } },
    ],
    _meta: { a: 1 },
  },
  "session/set_mode": { sessionId: "a", modeId: "b" },
  "session/set_config_option": { sessionId: "a", configId: "b", value: "c" },
};

/** `value` with one part left out or replaced, for each of its parts. */
function* variants(value: unknown): Generator<unknown> {
  yield* [null, 5, -1, 1.5, "x", true, [], {}];
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (!Array.isArray(value)) yield { ...value, [key]: undefined };
    for (const changed of variants(part)) {
      yield Array.isArray(value)
        ? value.with(Number(key), changed)
        : { ...value, [key]: changed };
    }
  }
}
