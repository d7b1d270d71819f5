import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { Model } from "../../../core/model.ts";
import { readMessage } from "../../../facades/remote/server/read_message.ts";
import type { ClientMessage } from "../../../facades/remote/wire.ts";
import { ConflictError } from "../../../core/error.ts";
import { clock, SpyStore } from "../../core/setup.ts";
import type { RawClient } from "./raw_client.ts";
import { until } from "../../until.ts";
import { serverLab } from "./server_lab.ts";

const SESSION = "20261201-101500-0123abcd";

Deno.test("the wire is that of the golden files", async () => {
  const { client, sent } = await conversation();
  const { told } = client;
  const named = stable();
  const lines = (messages: readonly unknown[]) =>
    messages.map((m) => `${named(JSON.stringify(m))}\n`).join("");
  // Answers come beside what happens: each has an order of its own.
  const isAnswer = (type: string) => type === "ack" || type === "error";
  await matches("session", lines(told.filter((m) => !isAnswer(m.type))));
  await matches("answers", lines(told.filter((m) => isAnswer(m.type))));
  await matches("client", lines(sent));
});

Deno.test("every message that clients sent once is understood, as it was", async () => {
  for (const line of await golden("client")) {
    const message = JSON.parse(line);
    if (message.type === "dance" || message.content === "") continue;
    assert.deepEqual(readMessage(line), message);
  }
});

Deno.test("the docs tell the wire as it is", async () => {
  const path = fileURLToPath(
    new URL("../../../docs/remote-protocol.md", import.meta.url),
  );
  const text = await Deno.readTextFile(path);
  const known = new Set<string>();
  for (const name of ["session", "answers", "client"]) {
    for (const line of await golden(name)) known.add(line);
  }
  const told = [...text.matchAll(/```json\n(.*?)```/gs)]
    .flatMap(([, block = ""]) => block.trim().split(/\n(?=\{)/))
    .map((example) => JSON.stringify(JSON.parse(example)));
  for (const example of told) {
    assert(known.has(example), `No golden file has ${example}`);
  }
  const types = [...known].map((line) => JSON.parse(line).type as string);
  for (const type of new Set(types)) {
    if (type === "dance") continue;
    const example = told.some((line) => JSON.parse(line).type === type);
    assert(example, `docs/remote-protocol.md has no example of "${type}"`);
  }
});

/** A conversation in which everything there is to say is said. */
async function conversation(): Promise<
  { client: RawClient; sent: readonly ClientMessage[] }
> {
  const store = new SpyStore();
  await using lab = await serverLab([], {
    store,
    agent: { model: model(), now: clock() },
  });
  const client = await lab.client();
  const sent: ClientMessage[] = [];
  let ids = 0;
  const ask = async (message: { type: string; [field: string]: unknown }) => {
    const id = `c-${++ids}`;
    sent.push({ id, ...message } as ClientMessage);
    const answer = await client.ask(message, id);
    return answer;
  };
  const session = SESSION;
  const idle = async (from: number) => {
    await client.idle(from);
    await client.do({ type: "ping" }, "ping"); // what is under way has come
    client.told.splice(
      client.told.findIndex((m) => m.type === "ack" && m.id === "ping"),
      1,
    );
  };

  await ask({ type: "new", session });
  const from = client.told.length;
  await ask({ type: "prompt", session, content: "Please tidy up" });
  const asked = await client.event((e) => e.type === "approval_asked");
  assert(asked.type === "approval_asked");
  const { id: request } = asked.request;
  const content = [{ type: "text", text: "and be quick" }];
  await ask({ type: "steer", session, content });
  await ask({
    type: "approve",
    session,
    request,
    outcome: "reject",
    reason: "not now",
  });
  await idle(from);
  await ask({ type: "attach", session });
  const whole = client.replays().at(-1)!;
  const { epoch } = whole;
  await ask({ type: "attach", session, since: 12, epoch });
  await until(() => client.replays().at(-1)?.since === 12);
  await ask({ type: "list", text: "tidy", limit: 1 });
  await ask({ type: "list", search: "quick" });
  await ask({ type: "command", session, text: "/rename Tidying" });
  await ask({ type: "command", session, text: "/nonsense" });
  const later = client.told.length;
  await ask({ type: "prompt", session, content: "fail" });
  await idle(later);
  await ask({ type: "cancel", session });
  await ask({ type: "ping" });
  await ask({ type: "attach", session: "20000101-000000-00000000" });
  await ask({ type: "dance" });
  await ask({ type: "prompt", session, content: "" });
  store.failures.push(new ConflictError("another process wrote to it"));
  const third = client.told.length;
  await ask({ type: "prompt", session, content: "fail again" });
  await idle(third);
  const moved = client.told.find((m) => m.type === "moved");
  assert(moved?.type === "moved");
  const last = client.told.length;
  const shared = await lab.agent.session(moved.to);
  const kept = await shared!.rotate();
  await until(() => client.replays(last).some((s) => s.last));
  await ask({ type: "attach", session: kept });
  await until(() => client.replays().at(-1)?.session === kept);
  await ask({ type: "delete", session: kept });
  await idle(last);
  return { client, sent };
}

/** Thinks, asks for a tool, sums up; then fails. */
function model(): Model {
  let calls = 0;
  return {
    name: "scripted",
    contextWindow: 1000,
    async *stream() {
      const usage = { input: 10, output: 5 };
      await Promise.resolve();
      switch (calls++) {
        case 0:
          yield { type: "thought", text: "It is " };
          yield { type: "thought", text: "a mess." };
          yield { type: "text", text: "I shall." };
          return {
            content: "I shall.",
            thought: "It is a mess.",
            stopReason: "tool_use",
            usage,
            toolCalls: [
              { id: "call-1", name: "look", arguments: { text: "desk" } },
              {
                id: "call-2",
                name: "change",
                arguments: { text: "desk.txt" },
              },
            ],
          };
        case 1:
          yield { type: "text", text: "Then it " };
          yield { type: "text", text: "stays." };
          return { content: "Then it stays.", stopReason: "end_turn", usage };
        default:
          throw new Error("Cannot reach the server: refused");
      }
    },
  };
}

/** Names what is random by its kind and its place among them. */
function stable(): (text: string) => string {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const named = (kind: string) => (found: string) => {
    const known = names.get(found);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    const name = `${kind}-${count}`;
    names.set(found, name);
    return name;
  };
  return (text) =>
    text.replaceAll(/\bm-[0-9a-f]{12}\b/g, named("m"))
      .replaceAll(/\ba-[0-9a-f]{12}\b/g, named("a"))
      .replaceAll(/\b20260916-\d{6}-[0-9a-f]{8}\b/g, named("fresh"))
      .replaceAll(/(?<="epoch":")[0-9a-f]{16}/g, named("epoch"));
}

async function matches(name: string, text: string): Promise<void> {
  if (Deno.env.has("MM_UPDATE_GOLDEN")) {
    await Deno.writeTextFile(file(name), text);
  }
  assert.equal(text, await Deno.readTextFile(file(name)));
}

async function golden(name: string): Promise<string[]> {
  return (await Deno.readTextFile(file(name))).trim().split("\n");
}

function file(name: string): string {
  return fileURLToPath(
    new URL(`../../golden/remote/${name}.jsonl`, import.meta.url),
  );
}
