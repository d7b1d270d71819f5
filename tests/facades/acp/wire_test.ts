import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { call } from "../../scripted_model.ts";
import { untilAborted } from "../../core/setup.ts";
import { fault } from "../../../facades/acp/fault.ts";
import { ClientGone } from "../../../facades/acp/wire/output.ts";
import { until } from "../../until.ts";
import { type BareLab, bareLab } from "./lab.ts";

const INITIALIZE = {
  jsonrpc: "2.0",
  id: "init",
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};

/** Opens a session by hand. */
async function opened(t: BareLab): Promise<string> {
  t.pipe.send(INITIALIZE);
  t.pipe.send(request("new", "session/new", { cwd: t.dir, mcpServers: [] }));
  const { result } = await t.pipe.answer("new");
  return (result as { sessionId: string }).sessionId;
}

Deno.test("requests in one breath with initialize are answered", async () => {
  await using t = bareLab();
  const lines = [
    INITIALIZE,
    request(1, "session/list", {}),
    request(2, "session/new", { cwd: t.dir, mcpServers: [] }),
  ].map((m) => JSON.stringify(m)).join("\n");
  t.pipe.bytes(`${lines}\n`);
  assert.ok((await t.pipe.answer("init")).result);
  assert.ok((await t.pipe.answer(1)).result);
  assert.ok((await t.pipe.answer(2)).result);
  assert.deepEqual(
    t.pipe.out.map((m) => m.id).filter((id) => id !== undefined),
    ["init", 1, 2],
  );
});

Deno.test("requests before initialize are refused", async () => {
  await using t = bareLab();
  t.pipe.send(request(1, "session/list", {}));
  assert.equal(codeOf(await t.pipe.answer(1)), -32600);
  t.pipe.send(INITIALIZE);
  t.pipe.send(request(2, "session/list", {}));
  assert.ok((await t.pipe.answer(2)).result);
});

Deno.test("initialize answers our version, whatever is asked", async () => {
  await using t = bareLab();
  for (const protocolVersion of [0, 1, 2, 99, 65535]) {
    const id = `v${protocolVersion}`;
    t.pipe.send({ ...INITIALIZE, id, params: { protocolVersion } });
    const { result } = await t.pipe.answer(id);
    assert.equal((result as typeof INITIALIZE.params).protocolVersion, 1);
  }
  for (const protocolVersion of ["1", 65536, -1, 1.5, null]) {
    t.pipe.send({ ...INITIALIZE, id: "bad", params: { protocolVersion } });
  }
  t.pipe.send({ ...INITIALIZE, id: "end" });
  await t.pipe.answer("end");
  const bad = t.pipe.out.filter((m) => m.id === "bad");
  assert.deepEqual(bad.map(codeOf), Array(5).fill(-32602));
});

Deno.test("initialize promises what is there, and terminal login only where a client has it", async () => {
  await using t = bareLab();
  t.pipe.send(INITIALIZE);
  const { result } = await t.pipe.answer("init");
  assert.deepEqual(result, {
    protocolVersion: 1,
    agentInfo: { name: "mm", title: "mm", version: "1.2.3" },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: false, audio: false, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: {
        list: {},
        delete: {},
        resume: {},
        close: {},
        additionalDirectories: {},
      },
      _meta: { mm: { methods: ["_mm/errors", "_mm/steer"] } },
    },
    authMethods: [{
      id: "key",
      name: "API key",
      description:
        "Give mm the key of your model server: in the environment, or in agent.yaml (mm init)",
    }],
  });
  t.pipe.send({
    ...INITIALIZE,
    id: "again",
    params: {
      protocolVersion: 1,
      clientCapabilities: { auth: { terminal: true } },
    },
  });
  const again = (await t.pipe.answer("again")).result as {
    authMethods: { type?: string; args?: string[] }[];
  };
  assert.deepEqual(again.authMethods[0]?.type, "terminal");
  assert.deepEqual(again.authMethods[0]?.args, ["--setup"]);
});

Deno.test("bad lines are refused, told nothing of what they held, and the next is read", async () => {
  await using t = bareLab();
  const secret = "sk-secret-value";
  const lines: [string, unknown, number][] = [
    [`{"jsonrpc": "2.0", "id": 1, "${secret}`, null, -32700],
    [`${secret}`, null, -32700],
    [`["${secret}"]`, null, -32600],
    [`[]`, null, -32600],
    [`[{"jsonrpc":"2.0","id":1,"method":"${secret}"}]`, null, -32600],
    [`42`, null, -32600],
    [`null`, null, -32600],
    [`"${secret}"`, null, -32600],
    [`{}`, null, -32600],
    [`{"id":7,"method":"session/list","x":"${secret}"}`, 7, -32600],
    [`{"jsonrpc":"1.0","id":8,"method":"a","x":"${secret}"}`, 8, -32600],
    [`{"jsonrpc":"2.0","id":9,"method":5,"x":"${secret}"}`, 9, -32600],
    [`{"jsonrpc":"2.0","id":{"a":1},"method":"a"}`, null, -32600],
    [`{"jsonrpc":"2.0","id":[1],"method":"a"}`, null, -32600],
    [`{"jsonrpc":"2.0","id":true,"method":"a"}`, null, -32600],
    [`{"jsonrpc":"2.0","id":1.5,"method":"a"}`, null, -32600],
    [`{"jsonrpc":"2.0","id":1e400,"method":"a"}`, null, -32600],
    [`{"jsonrpc":"2.0"}`, null, -32600],
  ];
  for (const [line, id, code] of lines) {
    const from = t.pipe.out.length;
    t.pipe.bytes(`${line}\n`);
    const answer = await t.pipe.until((m) => m.id === id, from);
    assert.equal(codeOf(answer), code, line);
  }
  t.pipe.send(INITIALIZE);
  await t.pipe.answer("init");
  assert.ok(!JSON.stringify(t.pipe.out).includes(secret));
});

Deno.test("errors of params say what is wrong and not what was sent", async () => {
  await using t = bareLab();
  t.pipe.send(INITIALIZE);
  t.pipe.send(request(1, "session/new", {
    cwd: t.dir,
    mcpServers: [{
      name: "x",
      command: "y",
      args: ["--token", "sk-secret-value"],
      env: { TOKEN: "sk-secret-value" },
    }],
  }));
  const answer = await t.pipe.answer(1);
  assert.equal(codeOf(answer), -32602);
  assert.ok(!JSON.stringify(answer).includes("sk-secret-value"));
});

Deno.test("an unexpected error tells the client nothing of its cause", async () => {
  await using t = bareLab([], {
    agent: {
      store: {
        list: () => Promise.reject(new Error("password=hunter2")),
        [Symbol.asyncDispose]: () => Promise.resolve(),
      } as never,
    },
  });
  t.pipe.send(INITIALIZE);
  t.pipe.send(request(1, "session/list", {}));
  assert.deepEqual((await t.pipe.answer(1)).error, {
    code: -32603,
    message: "Internal error",
  });
});

Deno.test("ids come back digit by digit", async () => {
  await using t = bareLab();
  t.pipe.send(INITIALIZE);
  await t.pipe.answer("init");
  const ids = [
    "9007199254740993",
    "-9223372036854775808",
    "12345678901234567890",
    "1.0",
    "1e3",
    "-0",
    '""',
    '"9007199254740993"',
    "0",
    "null",
  ];
  for (const id of ids) {
    t.pipe.bytes(
      `{"jsonrpc":"2.0","params":{"_meta":{"id":12345678901234567890}},"id":${id},"method":"session/list"}\n`,
    );
  }
  t.pipe.send(request("end", "session/list", {}));
  await t.pipe.answer("end");
  for (const id of ids) {
    const answers = t.pipe.lines.filter((l) => l.includes(`"id":${id},`));
    assert.equal(answers.length, 1, `${id} came back otherwise`);
  }
});

Deno.test("$/cancel_request finds a request by an id no double can hold", async () => {
  const running = Promise.withResolvers<void>();
  await using t = bareLab([untilAborted(running.resolve)]);
  const sessionId = await opened(t);
  const params = JSON.stringify({
    sessionId,
    prompt: [{ type: "text", text: "go" }],
  });
  const id = "9007199254740993";
  t.pipe.bytes(
    `{"jsonrpc":"2.0","id":${id},"method":"session/prompt","params":${params}}\n`,
  );
  await running.promise;
  t.pipe.bytes(
    `{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${id}}}\n`,
  );
  const answer = await t.pipe.until((m) => "stopReason" in Object(m.result));
  assert.deepEqual(answer.result, { stopReason: "cancelled" });
});

Deno.test("blank lines, CRLF, a BOM, bytes that are no UTF-8 and a last line without end are read", async () => {
  await using t = bareLab(["fine"]);
  const sessionId = await opened(t);
  t.pipe.bytes("\n\r\n  \n");
  t.pipe.bytes(`${JSON.stringify(request(1, "session/list", {}))}\r\n`);
  assert.ok((await t.pipe.answer(1)).result);
  const prompt = JSON.stringify(request(2, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "a?b" }],
  }));
  const bytes = new TextEncoder().encode(`${prompt}\n`);
  bytes[bytes.indexOf(63)] = 0xff;
  t.pipe.bytes(bytes);
  assert.deepEqual((await t.pipe.answer(2)).result, { stopReason: "end_turn" });
  assert.equal(
    (await t.agent.read(sessionId))?.messages[1]?.content,
    "a\ufffdb",
  );
  t.pipe.bytes(JSON.stringify(request(3, "session/list", {})));
  t.pipe.end();
  assert.ok((await t.pipe.answer(3)).result);
});

Deno.test("messages may come byte by byte", async () => {
  await using t = bareLab(["fine"]);
  const line = `${JSON.stringify(INITIALIZE)}\n${
    JSON.stringify(request("é", "session/list", {}))
  }\n`;
  for (const byte of new TextEncoder().encode(line)) {
    t.pipe.bytes(new Uint8Array([byte]));
  }
  assert.ok((await t.pipe.answer("init")).result);
  assert.ok((await t.pipe.answer("é")).result);
});

Deno.test("a line of 30 MB is read; one that is too long is refused and the next is read", async () => {
  await using t = bareLab(["fine", "fine"]);
  const sessionId = await opened(t);
  const text = "x".repeat(30_000_000);
  t.pipe.send(request(1, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text }],
  }));
  assert.deepEqual((await t.pipe.answer(1)).result, { stopReason: "end_turn" });
  await using small = bareLab([], { maxLine: 1000 });
  small.pipe.bytes("y".repeat(5000));
  small.pipe.bytes(`${"y".repeat(5000)}\n`);
  small.pipe.send(INITIALIZE);
  assert.ok((await small.pipe.answer("init")).result);
  assert.equal(codeOf(small.pipe.out[0] ?? {}), -32600);
});

Deno.test("unknown requests are refused, unknown notifications pass", async () => {
  await using t = bareLab();
  t.pipe.send(INITIALIZE);
  t.pipe.send({ jsonrpc: "2.0", method: "foo/bar", params: {} });
  t.pipe.send({ jsonrpc: "2.0", method: "_x/y" });
  t.pipe.send({ jsonrpc: "2.0", method: "$/nothing" });
  t.pipe.send({ jsonrpc: "2.0", method: "session/cancel", params: 5 });
  t.pipe.send({ jsonrpc: "2.0", id: 99, result: {} });
  t.pipe.send({ jsonrpc: "2.0", id: 98, error: { code: 1, message: "x" } });
  t.pipe.send({ jsonrpc: "2.0", id: 97, error: "x", result: 1 });
  const unknown = [
    "foo/bar",
    "session/fork",
    "session/cancel",
    "logout",
    "_x/y",
    "__proto__",
    "",
  ];
  for (const method of unknown) t.pipe.send(request(method, method, {}));
  for (const method of unknown) {
    assert.equal(codeOf(await t.pipe.answer(method)), -32601, method);
  }
  assert.equal(t.pipe.out.length, 1 + unknown.length);
});

Deno.test("what was asked before the end of the input is answered (SDK: dropped)", async () => {
  await using t = bareLab();
  const lines = [INITIALIZE];
  for (let n = 0; n < 20; n++) {
    lines.push(request(`n${n}`, "session/list", {}) as never);
  }
  t.pipe.bytes(lines.map((m) => `${JSON.stringify(m)}\n`).join(""));
  t.pipe.end();
  await t.left;
  assert.equal(t.pipe.out.length, 21);
});

Deno.test("the end of the input in mid-turn saves the turn, answers it and ends (agentclientprotocol/claude-agent-acp#325, can1357/oh-my-pi#4788)", async () => {
  const running = Promise.withResolvers<void>();
  await using t = bareLab([
    { content: "Begun", toolCalls: [call("look", { text: "a" })] },
    untilAborted(running.resolve),
  ]);
  const sessionId = await opened(t);
  t.pipe.send(request(1, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "go" }],
  }));
  await running.promise;
  t.pipe.end();
  await t.left;
  assert.deepEqual((await t.pipe.answer(1)).result, {
    stopReason: "cancelled",
  });
  const state = await t.agent.store.read(sessionId);
  assert.equal(state?.open, undefined);
  assert.deepEqual(
    state?.messages.filter((m) => m.role !== "system").map((m) => m.role),
    ["user", "assistant", "tool"],
  );
});

Deno.test("the host's signal ends it as the end of the input does", async () => {
  const running = Promise.withResolvers<void>();
  await using t = bareLab([untilAborted(running.resolve)]);
  const sessionId = await opened(t);
  t.pipe.send(request(1, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "go" }],
  }));
  await running.promise;
  t.stop.abort();
  await t.left;
  assert.deepEqual((await t.pipe.answer(1)).result, {
    stopReason: "cancelled",
  });
});

Deno.test("a client that went away ends it, saved", async () => {
  const running = Promise.withResolvers<void>();
  await using t = bareLab(["one", untilAborted(running.resolve)]);
  const sessionId = await opened(t);
  t.pipe.send(request(1, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "first" }],
  }));
  await t.pipe.answer(1);
  t.pipe.send(request(2, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "second" }],
  }));
  await running.promise;
  t.pipe.stalled = Promise.reject(new Deno.errors.BrokenPipe("gone"));
  t.pipe.stalled.catch(() => {});
  t.pipe.send(request(3, "session/list", {}));
  await t.left;
  const state = await t.agent.store.read(sessionId);
  assert.equal(state?.open, undefined);
  assert.equal(state?.turns, 1);
});

Deno.test("a client that is gone is no unexpected error", () => {
  const { code, message } = fault(new ClientGone(new Error("EPIPE")));
  assert.deepEqual([code, message], [-32603, "The client is gone"]);
});

Deno.test("a client that reads nothing is waited for: little is held, nothing is lost", async () => {
  await using t = bareLab([]);
  t.pipe.send(INITIALIZE);
  await t.pipe.answer("init");
  const reads = Promise.withResolvers<void>();
  t.pipe.stalled = reads.promise;
  const many = 5000;
  for (let n = 0; n < many; n++) {
    t.pipe.send(request(n, `unknown/${"x".repeat(2000)}`, {}));
  }
  await setTimeout(300);
  reads.resolve();
  await t.pipe.answer(many - 1);
  assert.equal(new Set(t.pipe.out.map((m) => m.id)).size, many + 1);
});

Deno.test("a client that reads nothing is not waited for once its input has ended; all is saved", async () => {
  await using t = bareLab(["x".repeat(4_000_000)], { patienceMs: 100 });
  const sessionId = await opened(t);
  const reads = Promise.withResolvers<void>();
  t.pipe.stalled = reads.promise;
  t.pipe.send(request(1, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "go" }],
  }));
  await until(async () => (await t.agent.read(sessionId))?.turns === 1);
  t.pipe.end();
  await t.left;
  const state = await t.agent.store.read(sessionId);
  assert.equal(state?.messages.at(-1)?.content.length, 4_000_000);
  reads.resolve();
});

Deno.test("a turn goes on while its client reads nothing; its text is joined, not piled up", async () => {
  const words = 20_000;
  const done = Promise.withResolvers<void>();
  await using t = bareLab([], {
    model: {
      async *stream() {
        for (let n = 0; n < words; n++) {
          yield { type: "text", text: "0123456789" };
          if (n % 1000 === 0) await setTimeout(0);
        }
        done.resolve();
        return {
          content: "0123456789".repeat(words),
          stopReason: "end_turn",
        };
      },
    },
  });
  const sessionId = await opened(t);
  const reads = Promise.withResolvers<void>();
  t.pipe.send(request(1, "session/prompt", {
    sessionId,
    prompt: [{ type: "text", text: "go" }],
  }));
  t.pipe.stalled = reads.promise;
  await done.promise;
  const from = t.pipe.out.length;
  reads.resolve();
  await t.pipe.answer(1);
  const chunks = t.pipe.out.slice(from).flatMap((m) => {
    const { update } = (m.params ?? {}) as {
      update?: { content?: { text: string } };
    };
    return update?.content ? [update.content.text] : [];
  });
  assert.ok(chunks.length < words / 2, `${chunks.length} updates`);
});

function request(id: unknown, method: string, params: unknown) {
  return { jsonrpc: "2.0", id, method, params };
}

function codeOf(message: Record<string, unknown>): unknown {
  return (message.error as { code?: unknown } | undefined)?.code;
}
