import assert from "node:assert/strict";
import { ConfigError } from "../../../core/error.ts";
import { parseAddress, urlOf } from "../../../core/http/address.ts";
import { duration, milliseconds } from "../../../core/http/duration.ts";
import { serverMessage } from "../../../core/http/fault.ts";
import { sendable } from "../../../core/http/headers.ts";
import { parseArguments } from "../../../core/http/prompt.ts";
import { retryAfter } from "../../../core/http/retry.ts";
import { serverEvents } from "../../../core/http/sse.ts";

async function events(...chunks: string[]) {
  const found: [string, string][] = [];
  async function* bytes() {
    for (const chunk of chunks) {
      yield await Promise.resolve(new TextEncoder().encode(chunk));
    }
  }
  for await (const { event, data } of serverEvents(bytes(), 1000)) {
    found.push([event, data]);
  }
  return found;
}

Deno.test("serverEvents() follows the standard", async () => {
  assert.deepEqual(
    await events(
      "\ufeff: hi\r\nevent: a\r\ndata: 1\r\ndata:2\r\rdata\n\nid: 3\n\n",
    ),
    [["a", "1\n2"], ["", ""]],
  );
  assert.deepEqual(await events("data: a\r", "\n\r", "\ndata: b\n", "\n"), [[
    "",
    "a",
  ], ["", "b"]]);
});

Deno.test("serverEvents() drops an unfinished line, and takes a finished last event", async () => {
  assert.deepEqual(await events("data: a\n\ndata: b"), [["", "a"]]);
  assert.deepEqual(await events("data: a\n"), [["", "a"]]);
});

Deno.test("serverEvents() refuses an event that grows without bound", async () => {
  await assert.rejects(
    events("data: ", ...Array(20).fill("x".repeat(100))),
    RangeError,
  );
  await assert.rejects(
    events(...Array(20).fill(`data: ${"x".repeat(100)}\n`)),
    RangeError,
  );
});

Deno.test("parseAddress() reads URLs and sockets", () => {
  const url = (text: string) => {
    const address = parseAddress(text);
    return address &&
      [address.where, urlOf(address, "/models"), address.socket];
  };
  assert.deepEqual(url("http://localhost:11434"), [
    "localhost:11434",
    "http://localhost:11434/v1/models",
    undefined,
  ]);
  assert.deepEqual(url("https://a.b/x/?v=1"), [
    "a.b",
    "https://a.b/x/models?v=1",
    undefined,
  ]);
  assert.deepEqual(url("unix:///run/a.sock"), [
    "/run/a.sock",
    "http://localhost/v1/models",
    "/run/a.sock",
  ]);
  assert.deepEqual(url("unix:///run/a.sock:/engines/v1"), [
    "/run/a.sock",
    "http://localhost/engines/v1/models",
    "/run/a.sock",
  ]);
  for (
    const wrong of [
      "",
      "localhost:1",
      "ftp://x",
      "unix://x",
      "http://",
      "http://a b",
      "https://me@a.b/v1",
      "https://:secret@a.b/v1",
    ]
  ) {
    assert.equal(url(wrong), undefined, wrong);
  }
});

Deno.test("milliseconds() and duration() read and write times", () => {
  assert.deepEqual([90, "90s", "2m", "1.5h", "250 ms", "7"].map(milliseconds), [
    90_000,
    90_000,
    120_000,
    5_400_000,
    250,
    7000,
  ]);
  assert.throws(() => milliseconds("soon"), /write it like 90s or 2m/);
  assert.deepEqual([250, 1500, 90_000, 600_000, 86_400_000].map(duration), [
    "0.3 s",
    "1.5 s",
    "90 s",
    "10 min",
    "24 h",
  ]);
});

Deno.test("retryAfter() reads seconds, dates and milliseconds", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const read = (headers: Record<string, string>) =>
    retryAfter(new Headers(headers), now);
  assert.equal(read({ "retry-after": "3" }), 3000);
  assert.equal(read({ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }), 5000);
  assert.equal(read({ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }), 0);
  assert.equal(read({ "retry-after-ms": "120", "retry-after": "3" }), 120);
  assert.equal(read({ "retry-after": "soon" }), undefined);
  assert.equal(read({}), undefined);
});

Deno.test("serverMessage() finds the message in each dialect", () => {
  for (
    const body of [
      '{"error":{"message":"why"}}',
      '{"error":"why"}',
      '{"message":"why"}',
      '{"detail":"why"}',
      '{"detail":[{"msg":"why"}]}',
      '{"object":"error","message":"why"}',
      '[{"error":{"message":"why"}}]',
      '{"errors":[{"message":"why"}]}',
      "why\n",
      "<p>why</p><script>x</script>",
    ]
  ) {
    assert.equal(serverMessage(body).message, "why", body);
  }
});

Deno.test("sendable() refuses what HTTP does not take, and never shows a value", () => {
  assert.deepEqual(sendable({ "X-Api-Key": " clé\n", a: "" }), {
    "x-api-key": "clé",
    a: "",
  });
  for (
    const headers of [
      { authorization: "Bearer sk-1\nX: sk-2" },
      { authorization: "sk-\u043a" },
      { authorization: "sk-\0" },
    ]
  ) {
    assert.throws(() => sendable(headers), (error: Error) => {
      assert(error instanceof ConfigError);
      assert.match(error.message, /^Cannot send header "authorization": /);
      assert.doesNotMatch(error.message, /sk-/);
      return true;
    });
  }
  for (const name of ["", "a b", "a:", "é", "a\n"]) {
    assert.throws(() => sendable({ [name]: "x" }), /this is no header name/);
  }
});

Deno.test("parseArguments() keeps as text what is nested too deep to be written", () => {
  const nest = (n: number) => `{"a":${"[".repeat(n)}${"]".repeat(n)}}`;
  assert.equal(typeof parseArguments(nest(400)), "object");
  for (const n of [600, 100_000]) {
    assert.equal(parseArguments(nest(n)), nest(n));
    const twice = JSON.stringify(nest(n));
    assert.equal(parseArguments(twice), twice);
  }
});

Deno.test("parseArguments() keeps what is no JSON", () => {
  assert.deepEqual(
    ["", "null", '{"a":1}', '"{}"', '"text"', "{oops"].map(parseArguments),
    [{}, {}, { a: 1 }, {}, '"text"', "{oops"],
  );
});
