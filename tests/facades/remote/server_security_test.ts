import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { Auth } from "../../../facades/remote/server/auth.ts";
import { parseHead } from "../../../facades/remote/server/head.ts";
import { isOurs, isSameSite } from "../../../facades/remote/server/names.ts";
import { openServer } from "../../../facades/remote/server/remote_server.ts";
import { MAX_MESSAGE, REFUSED } from "../../../facades/remote/wire.ts";
import { heldMemory } from "./memory.ts";
import { RawClient } from "./raw_client.ts";
import { hasHead, rawHttp, status, upgrade } from "./raw_http.ts";
import { HeldTimers } from "../../held_timers.ts";
import { until } from "../../until.ts";
import { options, serverLab, TOKEN } from "./server_lab.ts";

const right = `mm.v1, bearer.${TOKEN}`;

Deno.test("without the right token nobody hears a word", async () => {
  await using lab = await serverLab();
  for (
    const token of ["wrong", `${TOKEN}x`, TOKEN.slice(0, -1), "x".repeat(200)]
  ) {
    const client = new RawClient(lab.url, token);
    const { code } = await client.closed;
    assert.equal(code, REFUSED, token);
    assert.deepEqual(client.frames, []);
  }
  const none = await rawHttp(
    lab.server.port,
    upgrade(lab.server.port, { "Sec-WebSocket-Protocol": "mm.v1" }),
  );
  assert.doesNotMatch(none, /hello/);
  const bare = await rawHttp(lab.server.port, upgrade(lab.server.port, {}));
  assert.equal(status(bare), 400);
  assert.equal(lab.server.clients, 0);
});

Deno.test("the server selects its protocol and never repeats the token", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const answer = await rawHttp(
    port,
    upgrade(port, { "Sec-WebSocket-Protocol": right }),
    hasHead,
  );
  assert.equal(status(answer), 101);
  assert.match(answer, /sec-websocket-protocol: mm\.v1\r\n/i);
  assert(!answer.includes(TOKEN));
});

Deno.test("10,000 wrong tokens neither come in nor keep the right one out", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const seen = new Map<number, number>();
  let half = 0;
  for (let n = 0; n < 10_000; n += 50) {
    if (n === 5_000) half = await heldMemory();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        rawHttp(
          port,
          upgrade(port, {
            "Sec-WebSocket-Protocol": `mm.v1, bearer.${TOKEN}${n + i}`,
            "Connection": "Upgrade",
          }),
        )),
    );
    for (const answer of answers) {
      const is = status(answer);
      seen.set(is, (seen.get(is) ?? 0) + 1);
      assert.doesNotMatch(answer, /hello/);
    }
  }
  assert.deepEqual([...seen.keys()].sort(), [101, 429]);
  assert((seen.get(101) ?? 0) < 1000, "most are not looked at any more");
  // The first half has filled what is kept anyway.
  const grown = await heldMemory() - half;
  assert(grown < 5, `${grown} MB`);
  const client = await lab.client();
  assert.equal((await client.do({ type: "ping" })).type, "ack");
});

Deno.test("Auth lets nobody guess from afar, and forgets nobody it knows", () => {
  let now = 0;
  const auth = new Auth("the-right-token-0123", () => now);
  const guess = (address: string) => auth.check("wrong", address);
  assert.equal(auth.check("the-right-token-0123", "192.0.2.7"), "right");
  const first = Array.from({ length: 12 }, () => guess("198.51.100.1"));
  assert.deepEqual(first.slice(9), ["wrong", "limited", "limited"]);
  assert.equal(auth.check("the-right-token-0123", "198.51.100.1"), "limited");
  assert.equal(auth.check("the-right-token-0123", "198.51.100.2"), "right");
  now += 10_000; // a guess every six seconds is left
  assert.equal(guess("198.51.100.1"), "wrong");
  // One network of IPv6 is one guesser; many guessers together are limited too.
  for (let n = 0; n < 400; n++) guess(`2001:db8:0:1::${n.toString(16)}`);
  assert.equal(guess("2001:db8:0:1:ffff::1"), "limited");
  for (let n = 0; n < 70_000; n++) {
    guess(`10.${n >> 16 & 255}.${n >> 8 & 255}.${n & 255}`);
  }
  assert.equal(auth.check("the-right-token-0123", "203.0.113.9"), "limited");
  assert.equal(auth.check("the-right-token-0123", "192.0.2.7"), "right");
  assert.equal(auth.check("the-right-token-0123", "127.0.0.1"), "right");
  for (const near of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) {
    for (let n = 0; n < 100; n++) guess(near);
    assert.equal(auth.check("the-right-token-0123", near), "right");
  }
  assert.equal(auth.check(undefined, "127.0.0.1"), "limited");
});

Deno.test("a ticket is good once, and on this machine alone", () => {
  const auth = new Auth("the-right-token-0123");
  const ticket = auth.ticket();
  assert.equal(auth.check(ticket, "192.0.2.7"), "wrong");
  assert.equal(auth.check(ticket, "127.0.0.1"), "ticket");
  assert.equal(auth.check(ticket, "127.0.0.1"), "wrong");
  // A server may listen on one of its other addresses alone.
  const own = networkInterfaces();
  for (const { address } of Object.values(own).flatMap((all) => all ?? [])) {
    assert.equal(auth.check(auth.ticket(), address), "ticket", address);
  }
});

Deno.test("a page of another site may not connect", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const from = async (Origin: string, Host = `127.0.0.1:${port}`) =>
    status(
      await rawHttp(
        port,
        upgrade(port, { Origin, Host, "Sec-WebSocket-Protocol": right }),
        hasHead,
      ),
    );
  assert.equal(await from(`http://127.0.0.1:${port}`), 101);
  assert.equal(await from("http://localhost:8000", "localhost:8000"), 101);
  for (
    const origin of [
      "http://evil.example",
      "http://127.0.0.1:1234",
      `http://127.0.0.1:${port}.evil.example`,
      "null",
      "file://",
      "",
      `chrome-extension://127.0.0.1:${port}`,
    ]
  ) {
    assert.equal(await from(origin), 403, origin);
  }
});

Deno.test("names the server does not have are refused: DNS rebinding", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  for (
    const host of [
      "evil.example",
      `evil.example:${port}`,
      "",
      "localhost.evil.example",
    ]
  ) {
    const socket = await rawHttp(
      port,
      upgrade(port, {
        Host: host,
        Origin: `http://${host}`,
        "Sec-WebSocket-Protocol": right,
      }),
    );
    assert(status(socket) === 403 || status(socket) === 400, host);
    const page = await rawHttp(
      port,
      `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    assert(status(page) === 403 || status(page) === 400, host);
  }
  const none = await rawHttp(
    port,
    "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
  );
  assert(status(none) === 403 || status(none) === 400);
});

Deno.test("isOurs() knows addresses, this machine and the names that were given", () => {
  const names = ["laptop.tail.example"];
  for (
    const host of [
      "127.0.0.1:7345",
      "localhost",
      "LOCALHOST:1",
      "[::1]:7345",
      "192.168.1.20:7345",
      "[fe80::1]",
      "laptop.tail.example:443",
      "a.localhost",
      `${Deno.hostname()}:7345`,
      `${Deno.hostname()}.local`,
    ]
  ) assert(isOurs(host, names), host);
  for (
    const host of [
      "evil.example",
      "localhost.evil.example",
      "127.0.0.1.evil",
      "evil@127.0.0.1",
      "127.0.0.1:7345:1",
      "127.0.0.1 evil",
      "",
      "[::1",
      "127.0.0.1/..",
      "x'; script-src *",
    ]
  ) assert(!isOurs(host, names), host);
  assert(isSameSite("https://x.example", "x.example"));
  assert(isSameSite("https://x.example", "x.example:443"));
  assert(!isSameSite("https://x.example", "x.example:444"));
});

Deno.test("a token in a query is refused, wherever it is", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  for (
    const path of [
      `/ws?token=${TOKEN}`,
      `/?token=${TOKEN}`,
      `/x?a=1&access_token=${TOKEN}`,
    ]
  ) {
    const headers = { "Sec-WebSocket-Protocol": right };
    assert.equal(
      status(await rawHttp(port, upgrade(port, headers, path))),
      400,
      path,
    );
    const page = await fetch(`http://127.0.0.1:${port}${path}`);
    assert.equal(page.status, 400);
    assert(!(await page.text()).includes(TOKEN));
  }
});

Deno.test("only the page's own files are served, to GET and HEAD", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const get = (path: string, method = "GET") =>
    rawHttp(
      port,
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
  for (
    const path of [
      "/../../etc/passwd",
      "/..%2f..%2fetc/passwd",
      "/%2e%2e/deno.json",
      "//etc/passwd",
      "/web/../plugin.ts",
      "/\\..\\x",
      "/app.js/..",
      "/%00",
      "/.mm/serve.json",
      "/__proto__",
      "/constructor",
      "/%",
      "/😀",
    ]
  ) {
    const answer = await get(path);
    assert(
      [400, 404].includes(status(answer)),
      `${path}: ${answer.slice(0, 80)}`,
    );
    assert.doesNotMatch(answer, /root:|imports/);
  }
  assert.equal(status(await get("http://evil.example/")), 400);
  assert.equal(status(await get("*", "OPTIONS")), 405);
  assert.equal(status(await get(`/${"a".repeat(5000)}`)), 414);
  assert.equal(status(await get("/ws")), 426);
  for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
    const answer = await get("/", method);
    assert.equal(status(answer), 405, method);
    assert.match(answer, /allow: GET, HEAD/i);
  }
});

Deno.test("every answer says how little a page may do", async () => {
  await using lab = await serverLab();
  const answer = await fetch(`http://127.0.0.1:${lab.server.port}/nothing`);
  await answer.text();
  const policy = answer.headers.get("content-security-policy") ?? "";
  for (
    const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]
  ) assert(policy.split("; ").includes(rule), rule);
  assert.doesNotMatch(policy, /unsafe|\*/);
  assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  assert.equal(answer.headers.get("referrer-policy"), "no-referrer");
  assert.equal(answer.headers.get("cross-origin-opener-policy"), "same-origin");
  assert.equal(answer.headers.get("access-control-allow-origin"), null);
});

Deno.test("what is no HTTP, and endless headers, end with a clean answer", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const bad = await Promise.all([
    "GARBAGE\r\n\r\n",
    "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: localhost\r\n${"X: y\r\n".repeat(20_000)}\r\n`,
    "GET / HTTP/9.9\r\n\r\n",
  ].map((text) => rawHttp(port, text)));
  for (const answer of bad) {
    assert([0, 400, 431, 505].includes(status(answer)), answer.slice(0, 100));
    assert.doesNotMatch(answer, /at file:|node:/);
  }
  const client = await lab.client();
  assert.equal((await client.do({ type: "ping" })).type, "ack");
});

Deno.test("a browser that is sent by https to where there is none waits for nothing", async () => {
  await using lab = await serverLab();
  const hello = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";
  assert.equal(status(await rawHttp(lab.server.port, hello)), 400);
});

Deno.test("messages that are none are refused, and nothing else happens", async () => {
  await using lab = await serverLab(["Hi."]);
  const client = await lab.client();
  const session = await client.begin();
  const deep = `{"id":"d","type":"prompt","session":"${session}","content":${
    "[".repeat(500_000)
  }${"]".repeat(500_000)}}`;
  const bad: [string | object, string, string?][] = [
    ["", "bad_message"],
    ["{", "bad_message"],
    ["null", "bad_message"],
    ["[]", "bad_message"],
    ["1e999", "bad_message"],
    [deep, "bad_message", "d"],
    [{ type: "ping" }, "bad_message"],
    [{ type: "ping", id: "" }, "bad_message"],
    [{ type: "ping", id: "x".repeat(65) }, "bad_message"],
    [{ type: "ping", id: "a b" }, "bad_message"],
    [{ type: "ping", id: 7 }, "bad_message"],
    [{ type: "constructor", id: "i1" }, "unknown_type", "i1"],
    [{ type: "__proto__", id: "i2" }, "unknown_type", "i2"],
    [{ type: 5, id: "i3" }, "bad_message", "i3"],
    [{ type: "prompt", id: "i4", session }, "bad_message", "i4"],
    [
      { type: "prompt", id: "i5", session, content: " \n" },
      "bad_message",
      "i5",
    ],
    [{ type: "prompt", id: "i6", session, content: [] }, "bad_message", "i6"],
    [
      { type: "prompt", id: "i7", session, content: [{ type: "evil" }] },
      "bad_message",
      "i7",
    ],
    [
      {
        type: "approve",
        id: "i8",
        session,
        request: "r",
        outcome: "cancelled",
      },
      "bad_message",
      "i8",
    ],
    [{ type: "attach", id: "i9", session, since: -1 }, "bad_message", "i9"],
    [{ type: "attach", id: "i10", session, since: 1.5 }, "bad_message", "i10"],
    [{ type: "list", id: "i11", limit: 0 }, "bad_message", "i11"],
    [
      { type: "prompt", id: "i12", session: "x", content: "hi" },
      "no_session",
      "i12",
    ],
    [
      {
        type: "prompt",
        id: "i13",
        session,
        content: [{ type: "text", text: " \n" }],
      },
      "bad_message",
      "i13",
    ],
  ];
  for (const [message, code, id] of bad) {
    const from = client.told.length;
    client.send(message);
    await until(() => client.told.length > from);
    const [answer] = client.told.slice(from);
    const what = JSON.stringify(message).slice(0, 80);
    assert(answer?.type === "error", what);
    assert.equal(answer.code, code, what);
    assert.equal(answer.id, id, what);
    assert.doesNotMatch(answer.message, /at file:|core\//);
  }
  client.socket.send(new Uint8Array([1, 2, 3]));
  await until(() => client.told.at(-1)?.type === "error");
  assert.equal((await client.do({ type: "ping" })).type, "ack");
  assert.equal(lab.model.requests.length, 0);
});

Deno.test("fields that nobody knows are passed over", async () => {
  await using lab = await serverLab(["Hi."]);
  const client = await lab.client();
  const session = await client.begin();
  const content = [{ type: "text", text: "hi", colour: "red" }];
  await client.do({ type: "prompt", session, content, shiny: { new: true } });
  await client.idle();
  const state = await lab.agent.read(session);
  const asked = state?.messages.find((m) => m.role === "user");
  assert.deepEqual(asked?.content, [{ type: "text", text: "hi" }]);
});

Deno.test("a message that is too long is refused by its name, and one far too long ends the connection", async () => {
  await using lab = await serverLab();
  const client = await lab.client();
  const session = await client.begin();
  const content = "x".repeat(MAX_MESSAGE);
  const answer = await client.ask({ type: "prompt", session, content });
  assert(answer.type === "error" && answer.code === "too_large");
  assert.equal((await client.do({ type: "ping" })).type, "ack");
  client.send({ id: "a", type: "prompt", session, content: content.repeat(3) });
  const { code } = await client.closed;
  assert(code === 1009 || code === 1006, String(code));
  const next = await lab.client();
  assert.equal((await next.do({ type: "ping" })).type, "ack");
});

Deno.test("a client that floods is slowed down, then cut off; others go on", async () => {
  await using lab = await serverLab();
  const [one, two] = [await lab.client(), await lab.client()];
  for (let n = 0; n < 1500; n++) one.send({ id: `p-${n}`, type: "ping" });
  await one.answer("p-1499");
  const slow = one.told.filter((m) =>
    m.type === "error" && m.code === "too_many"
  );
  assert(slow.length > 300 && slow.every((m) => m.type === "error" && m.id));
  for (let n = 0; n < 5000 && !one.isClosed; n++) {
    one.send({ id: `q-${n}`, type: "ping" });
  }
  assert.equal((await one.closed).code, 1008);
  assert.equal((await two.do({ type: "ping" })).type, "ack");
});

Deno.test("a host that is not this machine alone needs TLS, or a word that it does not", async () => {
  await using lab = await serverLab();
  await assert.rejects(
    openServer(lab.agent, options({ host: "0.0.0.0" })),
    /Cannot serve 0\.0\.0\.0 without TLS: .*--cert and --key, or --insecure/,
  );
  const open = await openServer(
    lab.agent,
    options({ host: "0.0.0.0", insecure: true }),
  );
  await open[Symbol.asyncDispose]();
  await assert.rejects(
    openServer(lab.agent, options({ port: lab.server.port })),
    /the port is taken; choose another by --port, or --port 0/,
  );
});

Deno.test("parseHead() takes what is a request and nothing that only looks like one", () => {
  const head = parseHead("GET /a?b HTTP/1.1\r\nHost: x\r\nA: 1\r\na:2 ");
  assert("method" in head);
  assert.deepEqual({ ...head.headers }, { host: "x", a: "1, 2" });
  for (
    const text of [
      "",
      "GET",
      "GET  / HTTP/1.1",
      "get / HTTP/1.1",
      "GET / HTTP/2.0",
      "GET / HTTP/1.1\r\n folded: x",
      "GET / HTTP/1.1\r\nHost : x",
      "GET / HTTP/1.1\r\nno colon",
      "GET / HTTP/1.1\r\nX: a\0b",
      "GET / HTTP/1.1\r\nX: a\nY: b",
      "GET / HTTP/1.1\r\nHost: a\r\nHost: b",
      `GET / HTTP/1.1${"\r\nX: y".repeat(101)}`,
    ]
  ) assert(!("method" in parseHead(text)), JSON.stringify(text));
  const odd = parseHead("GET / HTTP/1.1\r\n__proto__: x\r\nconstructor: y");
  assert("method" in odd && odd.headers["__proto__"] === "x");
});

Deno.test("who says nothing, or its request ever so slowly, is let go", async () => {
  using patience = new HeldTimers(10_000);
  await using lab = await serverLab();
  const { port } = lab.server;
  const answers = Promise.all([
    rawHttp(port, "G"),
    rawHttp(port, "GET / HTTP/1.1\r\nHost: localhost\r\n"),
  ]);
  await until(() => patience.waiting === 2);
  patience.fire();
  assert.deepEqual((await answers).map(status), [408, 408]);
});

Deno.test("strangers take no more than so many connections, and leave room when they go", async () => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const open = await Promise.all(
    Array.from({ length: 256 }, () => Deno.connect({ port })),
  );
  assert.equal(await rawHttp(port, "GET / HTTP/1.1\r\n\r\n"), "");
  for (const connection of open) connection.close();
  await until(async () => {
    const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    return status(await rawHttp(port, request)) === 200;
  });
  const client = await lab.client();
  assert.equal((await client.do({ type: "ping" })).type, "ack");
});
