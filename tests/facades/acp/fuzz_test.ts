import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { call } from "../../scripted_model.ts";
import { type BareLab, bareLab } from "./lab.ts";

/** More or fewer with MM_FUZZ; a seed of before with MM_SEED. */
const COUNT = Number(Deno.env.get("MM_FUZZ") ?? 10_000);
const SEED = Number(Deno.env.get("MM_SEED") ?? Date.now() % 1_000_000);

Deno.test(`${COUNT} fuzzed messages (seed ${SEED}): no crash, no hang, every valid request is answered once`, async () => {
  const random = randomFrom(SEED);
  await using t = bareLab([], {
    patienceMs: 3_600_000, // the last answers take as long as they take
    model: {
      async *stream({ messages }) {
        yield { type: "text", text: "a" };
        await setTimeout(random.below(3));
        const last = messages.at(-1);
        const calls = last?.role === "user" && random.below(2) === 0;
        return {
          content: "a",
          ...(calls && { toolCalls: [call("look", { text: "x" })] }),
          stopReason: calls ? "tool_use" : "end_turn",
        };
      },
    },
  });
  const asked = await fuzz(t, random, COUNT);
  // Whatever is still pending gets its answer at the end.
  t.pipe.end();
  await t.left;
  const answers = new Map<string, number>();
  for (const { id, method } of t.pipe.out) {
    if (method !== undefined || id === null) continue;
    const key = JSON.stringify(id);
    answers.set(key, (answers.get(key) ?? 0) + 1);
  }
  const wrong = [...asked].filter(([id, n]) => answers.get(id) !== n);
  assert.deepEqual(wrong, [], `seed ${SEED}`);
  const extra = [...answers.keys()].filter((id) =>
    !asked.has(id) && !/^"(init|new)/.test(id)
  );
  assert.deepEqual(extra, [], `seed ${SEED}`);
});

async function fuzz(
  t: BareLab,
  random: Random,
  count: number,
): Promise<ReadonlyMap<string, number>> {
  const asked = new Map<string, number>();
  t.pipe.send({
    jsonrpc: "2.0",
    id: "init",
    method: "initialize",
    params: { protocolVersion: 1 },
  });
  let sessionId = "";
  for (let n = 0; n < count; n++) {
    // Sooner or later it is closed or deleted.
    if (n % 40 === 0) sessionId = await opened(t, `new${n}`);
    const id = random.pick([n, `s${n}`, -n - 1, n + 0.5, null, [n], undefined]);
    const message = messageOf(random, id, sessionId, t.dir);
    const text = JSON.stringify(message) ?? "undefined";
    const line = random.below(6) === 0 ? broken(random, text) : text;
    note(line, asked);
    t.pipe.bytes(`${line}\n`);
    if (random.below(4) === 0) t.pipe.bytes(random.bytes(random.below(200)));
    // What is no line of ours may have begun one: end it.
    t.pipe.bytes("\n");
    if (random.below(50) === 0) await setTimeout(1);
  }
  return asked;
}

async function opened(t: BareLab, id: string): Promise<string> {
  const params = { cwd: t.dir, mcpServers: [] };
  t.pipe.send({ jsonrpc: "2.0", id, method: "session/new", params });
  const { result } = await t.pipe.answer(id);
  return (result as { sessionId: string }).sessionId;
}

// A request is valid when its envelope is: then one answer is due.
function note(line: string, asked: Map<string, number>): void {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return;
  }
  if (typeof message !== "object" || message === null) return;
  const { id } = message as { id?: unknown };
  const valid = typeof id === "string" || Number.isInteger(id);
  if (!valid || !("method" in message)) return;
  const key = JSON.stringify(id);
  asked.set(key, (asked.get(key) ?? 0) + 1);
}

function messageOf(
  random: Random,
  id: unknown,
  sessionId: string,
  cwd: string,
): unknown {
  const session = random.pick([sessionId, "x", "", 5, null, "../../x"]);
  const text = random.pick([
    "hello",
    "/help",
    "/new",
    "/nothing",
    "/compact",
    "\u0000\ud800",
    "",
    "/sessions",
  ]);
  const prompt = random.pick<unknown>([
    [{ type: "text", text }],
    [{ type: "text", text }, { type: "resource_link", uri: "a", name: "b" }],
    [{ type: "image", data: "x", mimeType: "y" }],
    [{ type: "strange" }],
    [],
    "text",
    null,
  ]);
  const folder = random.pick([cwd, "/", "relative", "", 7, `${cwd}/..`]);
  const method = random.pick<unknown>([
    "initialize",
    "authenticate",
    "logout",
    "session/new",
    "session/load",
    "session/resume",
    "session/list",
    "session/delete",
    "session/close",
    "session/prompt",
    "session/prompt",
    "session/cancel",
    "session/set_mode",
    "session/set_config_option",
    "$/cancel_request",
    "_mm/errors",
    "_mm/steer",
    "session/update",
    "constructor",
    "",
    5,
    null,
  ]);
  const params = random.pick<unknown>([
    {
      sessionId: session,
      prompt,
      cwd: folder,
      mcpServers: [],
      modeId: random.pick(["ask", "read-only", "x", 1]),
      configId: random.pick(["mode", "model", "x"]),
      value: random.pick(["ask", "auto-edit", true, null]),
      protocolVersion: random.pick([1, 2, "1", -1]),
      methodId: "key",
      requestId: random.below(100),
      cursor: random.pick([undefined, "bad"]),
    },
    {},
    [],
    "params",
    null,
    undefined,
    { sessionId },
  ]);
  return random.pick<unknown>([
    { jsonrpc: "2.0", id, method, params },
    { jsonrpc: "2.0", id, method, params },
    { jsonrpc: "2.0", id, method, params },
    { jsonrpc: "2.0", method, params },
    { jsonrpc: random.pick(["1.0", 2, null]), id, method, params },
    { jsonrpc: "2.0", id, result: params },
    { jsonrpc: "2.0", id, error: params },
    [{ jsonrpc: "2.0", id, method, params }],
    params,
  ]);
}

function broken(random: Random, text: string): string {
  const at = random.below(text.length);
  return random.pick([
    text.slice(0, at),
    text.slice(at),
    `${text.slice(0, at)}\u0000${text.slice(at)}`,
    `${text.slice(0, at)}${random.pick([...'{}[]",:0'])}${text.slice(at)}`,
    "[".repeat(5000),
    `${text}${text}`,
    text.replaceAll('"', "'"),
  ]);
}

interface Random {
  below(n: number): number;
  pick<T>(values: readonly T[]): T;
  bytes(count: number): Uint8Array;
}

// Mulberry32: small, and the same everywhere.
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    below: (n) => Math.floor(next() * n),
    pick: (values) => values[Math.floor(next() * values.length)] as never,
    bytes: (count) =>
      Uint8Array.from({ length: count }, () => {
        const byte = Math.floor(next() * 256);
        return byte === 10 ? 32 : byte;
      }),
  };
}
