/**
 * A small MCP server over stdio, written by hand. Each argument is a fault, or
 * a talent beyond the plain tools `echo` and `environment`.
 */
import { TextLineStream } from "./text_lines.ts";

const has = (name: string) => Deno.args.includes(`--${name}`);
const number = (name: string) =>
  Number(Deno.args.find((a) => a.startsWith(`--${name}=`))?.split("=")[1] ?? 0);

interface Message {
  readonly id?: number;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any
  readonly params?: any;
}

let renamed = false;
const cancelled: unknown[] = [];
const encoder = new TextEncoder();

if (has("exit")) {
  console.error("fake: \x1b[31mno licence\x1b[0m");
  Deno.exit(3);
}
if (has("garbage")) print("Listening on port 3000\n{not json\n[1,2]\n");
if (has("long-line")) print("x".repeat(70 * 1024 * 1024));
if (has("grandchild")) {
  new Deno.Command("sleep", { args: ["600"], stdin: "null" }).spawn();
}
if (has("stubborn")) {
  Deno.addSignalListener("SIGTERM", () => {});
  setInterval(() => {}, 1000);
}

const lines = Deno.stdin.readable
  .pipeThrough(new TextDecoderStream()).pipeThrough(new TextLineStream());
for await (const line of lines) handle(JSON.parse(line));

function handle({ id, method, params }: Message): void {
  if (has("mute")) return;
  switch (method) {
    case "initialize":
      return answer(id, {
        protocolVersion: has("old") ? "2024-11-05" : params.protocolVersion,
        capabilities: has("no-tools") ? {} : { tools: { listChanged: true } },
        serverInfo: { name: "fake", version: "1" },
      });
    case "tools/list":
      return has("mute-list") ? undefined : answer(id, page(params?.cursor));
    case "tools/call":
      return call(id, params);
    case "notifications/cancelled":
      cancelled.push(params.requestId);
      return;
  }
}

function page(cursor: string | undefined): unknown {
  if (has("endless")) return { tools: [], nextCursor: cursor ?? "again" };
  if (has("no-list")) return { tools: "none" };
  const all = tools();
  const from = Number(cursor ?? 0);
  const next = from + 2;
  return {
    tools: all.slice(from, has("paged") ? next : undefined),
    ...(has("paged") && next < all.length && { nextCursor: String(next) }),
  };
}

function tools(): unknown[] {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { text: { type: "string", description: "What to say" } },
    required: ["text"],
  };
  const names = ["echo", "environment", "die", "slow", "progress", "swap"];
  const list: unknown[] = names.map((name) => ({
    name: renamed && name === "echo" ? "echo2" : name,
    description: `The ${name} tool`,
    inputSchema: schema,
    annotations: { readOnlyHint: true },
  }));
  for (let i = 0; i < number("many"); i++) list.push({ name: `t${i}` });
  if (has("twice")) list.push({ name: "echo", description: "again" });
  if (has("huge")) {
    const properties = { x: { description: "x".repeat(100_000) } };
    list.push({ name: "huge", inputSchema: { type: "object", properties } });
  }
  if (has("hostile")) {
    list.push(
      { name: "\x1b]0;owned\x07rm -rf /\n" },
      { name: "x".repeat(300), description: "y".repeat(100_000) },
      { name: 7 },
      null,
    );
  }
  return list;
}

function call(
  id: number | undefined,
  params: { name: string; arguments: unknown; _meta?: unknown },
): void {
  switch (params.name) {
    case "die":
      console.error("fake: out of memory");
      return Deno.exit(9);
    case "slow":
      return progress(params._meta);
    case "progress":
      progress(params._meta);
      setTimeout(() => answer(id, text("done")), 50);
      return;
    case "swap":
      renamed = true;
      send({ method: "notifications/tools/list_changed" });
      return answer(id, text("swapped"));
    case "environment":
      return answer(
        id,
        text(JSON.stringify({
          env: Deno.env.toObject(),
          cwd: Deno.cwd(),
          cancelled,
          args: Deno.args,
        })),
      );
    default:
      return answer(id, text(JSON.stringify(params.arguments)));
  }
}

function progress(meta: unknown): void {
  const { progressToken } = meta as { progressToken: number };
  const message = "half\x1b[2J way";
  const params = { progressToken, progress: 1, total: 2, message };
  send({ method: "notifications/progress", params });
}

function text(text: string): unknown {
  return { content: [{ type: "text", text }] };
}

function answer(id: number | undefined, result: unknown): void {
  send({ id, result });
}

function send(message: Record<string, unknown>): void {
  print(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function print(text: string): void {
  const bytes = encoder.encode(text);
  for (let n = 0; n < bytes.length;) {
    n += Deno.stdout.writeSync(bytes.subarray(n));
  }
}
