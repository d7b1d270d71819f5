import assert from "node:assert/strict";
import type { ToolServer } from "../../../core/server.ts";
import { HeldTimers } from "../../held_timers.ts";
import { until } from "../../until.ts";
import { SseServer } from "./sse_server.ts";
import { serve, use } from "./lab.ts";
import { type Fault, WebServer } from "./web_server.ts";

function web(
  url: string,
  more: { headers?: Record<string, string>; name?: string; type?: "sse" } = {},
): ToolServer {
  return { type: "http", name: "web", url, headers: {}, ...more };
}

Deno.test("serve() uses a server on streamable HTTP and says goodbye", async () => {
  await using server = new WebServer();
  {
    await using served = await serve([web(server.url)]);
    assert.deepEqual(served.problems, []);
    const result = await use(served, "mcp__web__echo", { text: "hi" });
    assert.deepEqual(result, { content: "hi" });
    await use(served, "mcp__web__grow");
    await until(() => served.tools.some((t) => t.name === "mcp__web__grown"));
  }
  assert.equal(server.seen.at(-1), "DELETE");
});

Deno.test("serve() sends the headers it was given", async () => {
  await using server = new WebServer();
  server.fault = (request, next) =>
    request.headers.get("authorization") === "Bearer x"
      ? next(request)
      : new Response("Who are you?", { status: 401 });
  {
    const headers = { Authorization: "Bearer x" };
    await using served = await serve([web(server.url, { headers })]);
    assert.deepEqual(served.problems, []);
  }
  await using served = await serve([web(server.url)]);
  assert.deepEqual(served.problems, [
    'Cannot use MCP server "web": it wants a login (HTTP 401): give it a token under "headers"; OAuth is not supported',
  ]);
});

Deno.test("serve() shows no secret of a header that a server repeats", async () => {
  await using server = new WebServer();
  server.fault = (request) =>
    new Response(`Not you, ${request.headers.get("authorization")}`, {
      status: 500,
    });
  const headers = { Authorization: "Bearer secret-4711" };
  await using served = await serve([web(server.url, { headers })]);
  assert.match(served.problems.join(), /Not you, \*\*\*/);
});

const FAULTS: [name: string, fault: Fault, problem: RegExp][] = [
  [
    "404",
    () => new Response("", { status: 404 }),
    /: it answered HTTP 404: check its url; an older server needs "type: sse"$/,
  ],
  [
    "500",
    () => new Response("<h1>\x1b[31mOh", { status: 500 }),
    /"web": .*<h1>Oh$/,
  ],
  [
    "a web page",
    () => new Response("<h1>", { headers: { "content-type": "text/html" } }),
    /content type: text\/html$/,
  ],
  [
    "another protocol",
    () => Response.json({ jsonrpc: "2.0", id: 0, result: 7 }),
    /not what MCP lays down$/,
  ],
  ["nonsense", () => Response.json("{"), /not what MCP lays down$/],
  [
    "a stream that ends",
    () =>
      new Response(": hello\n\n", {
        headers: { "content-type": "text/event-stream" },
      }),
    /The server ended its answer early$/,
  ],
];

for (const [name, fault, problem] of FAULTS) {
  Deno.test(`serve() says what is wrong with a server that answers ${name}`, async () => {
    await using server = new WebServer();
    server.fault = fault;
    await using served = await serve([web(server.url)]);
    assert.match(served.problems[0] ?? "", problem);
  });
}

Deno.test("serve() says that a server is not there or does not answer", async () => {
  await using server = new WebServer();
  const asked = Promise.withResolvers<Response>();
  server.fault = () => asked.promise;
  const servers = [
    web(server.url),
    web(NOBODY, { name: "off" }),
    web(NOBODY, { name: "old", type: "sse" }),
  ];
  using limits = new HeldTimers(5000);
  const serving = serve(servers, { timeout: 5 });
  await until(() => limits.set === 3 && limits.waiting === 1);
  limits.fire();
  await using served = await serving;
  asked.resolve(new Response());
  assert.match(
    served.problems.join("\n"),
    /"web": it did not answer within 5 s/,
  );
  assert.match(served.problems.join("\n"), /"off": .*refused/);
  assert.match(served.problems.join("\n"), /"old": .*refused/);
  assert.doesNotMatch(served.problems.join("\n"), /secret/);
});

// A port that no program is given: nobody listens there.
const NOBODY = "http://127.0.0.1:2/mcp?key=secret";

Deno.test("a call opens another session when the server forgot the first", async () => {
  await using server = new WebServer();
  await using served = await serve([web(server.url)]);
  await server.forget();
  const { content } = await use(served, "mcp__web__echo", { text: "again" });
  assert.equal(content, "again");
});

Deno.test("a call fails when its answer breaks off, and the next one works", async () => {
  await using server = new WebServer();
  await using served = await serve([web(server.url)]);
  server.fault = (request, next) =>
    request.method === "POST"
      ? new Response(": hello\n\n", {
        headers: { "content-type": "text/event-stream" },
      })
      : next(request);
  await assert.rejects(
    use(served, "mcp__web__echo", { text: "a" }),
    /^Error: MCP server "web": .*The server ended its answer early$/,
  );
  server.fault = (request, next) => next(request);
  const { content } = await use(served, "mcp__web__echo", { text: "b" });
  assert.equal(content, "b");
});

Deno.test("a cancelled call on the web ends at once", async () => {
  await using server = new WebServer();
  await using served = await serve([web(server.url)]);
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  server.fault = () => {
    asked.resolve();
    return answer.promise;
  };
  const turn = new AbortController();
  const { signal } = turn;
  const slow = use(served, "mcp__web__echo", { text: "a" }, { signal });
  await asked.promise;
  turn.abort(new DOMException("Cancelled", "AbortError"));
  await assert.rejects(slow, { name: "AbortError" });
  server.fault = (request, next) => next(request);
  answer.resolve(new Response(null, { status: 202 }));
});

Deno.test("serve() uses a server on SSE, and a call fails when its stream breaks", async () => {
  await using server = new SseServer();
  const old = web(server.url, { name: "old", type: "sse" });
  await using served = await serve([old]);
  assert.deepEqual(served.problems, []);
  const { content } = await use(served, "mcp__old__echo", { text: "hi" });
  assert.equal(content, '{"text":"hi"}');
  await assert.rejects(
    use(served, "mcp__old__break"),
    /^Error: MCP server "old" stopped during the call: it closed the connection$/,
  );
  assert.equal((await use(served, "mcp__old__echo", {})).content, "{}");
});
