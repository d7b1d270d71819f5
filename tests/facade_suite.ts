import assert from "node:assert/strict";
import { object, string } from "zod/mini";
import { Agent } from "../core/agent.ts";
import { MemoryStore } from "../core/memory_store.ts";
import type { Tool } from "../core/tool.ts";
import { defineTool } from "../core/tool.ts";
import { call, ScriptedModel, type Step } from "./scripted_model.ts";

/** One person in front of a facade. */
export interface FacadeDriver extends AsyncDisposable {
  /** The id of the conversation that is shown. */
  readonly id: string;
  /** How approvals are answered from now on. */
  approves: "allow" | "deny";
  /** Asks, and resolves when the facade is ready for the next question. */
  ask(text: string): Promise<void>;
  /** Stops the running turn, as Esc does. */
  cancel(): Promise<void>;
  /** Starts a new conversation, as `/new` does. */
  newConversation(): Promise<void>;
  /** Shows conversation `id` from its start, as `/resume` or a load does. */
  resume(id: string): Promise<void>;
  /** All that is shown of this conversation so far, as text. */
  shown(): string | Promise<string>;
}

/** Opens a facade on an agent, on a new conversation or on that of `id`. */
export type MakeDriver = (agent: Agent, id?: string) => Promise<FacadeDriver>;

/** What the suite tests, one sentence each. */
export type FacadePart = keyof typeof facadeParts;

/** Why a facade may leave a part out. */
export type FacadeSkips = Readonly<Partial<Record<FacadePart, string>>>;

/** Registers what every facade must pass; `skips` names the exceptions and why. */
export function facadeSuite(
  name: string,
  make: MakeDriver,
  skips: FacadeSkips = {},
): void {
  for (const [what, run] of Object.entries(facadeParts)) {
    const reason = skips[what as FacadePart];
    const title = `${name} ${what}${reason ? ` (skipped: ${reason})` : ""}`;
    Deno.test(title, { ignore: reason !== undefined }, () => run(make));
  }
}

const echo: Step = { content: "", toolCalls: [call("echo", { text: "x" })] };

/** The parts themselves, for a test of the suite. */
export const facadeParts = {
  "shows an answer": async (make) => {
    await using lab = open(["Hello there."]);
    await using facade = await make(lab.agent);
    await facade.ask("hi");
    await shows(facade, ["Hello there."]);
  },

  "leaves no trace when nothing was asked": async (make) => {
    await using lab = open([]);
    {
      await using _ = await make(lab.agent);
    }
    assert.deepEqual((await lab.agent.list()).items, []);
  },

  "starts a new conversation and keeps the old one": async (make) => {
    await using lab = open(["First answer.", "Second answer."]);
    await using facade = await make(lab.agent);
    await facade.ask("one");
    await facade.newConversation();
    await facade.ask("two");
    const { items } = await lab.agent.list();
    assert.deepEqual(items.map((s) => s.title).toSorted(), ["one", "two"]);
    assert.equal(items.find((s) => s.title === "two")?.id, facade.id);
    assert.doesNotMatch(sent(lab.model.requests.at(-1)), /First answer/);
  },

  "replays what it showed live, running nothing and showing no error": async (
    make,
  ) => {
    await using lab = open([
      { content: "Let me look. ", toolCalls: [call("echo", { text: "x" })] },
      "It is x.",
      new Error("the server is down"),
    ]);
    await using facade = await make(lab.agent);
    await facade.ask("what is x?");
    const parts = ["Let me look.", "Echo x", "It is x."];
    await shows(facade, parts);
    await facade.ask("and y?");
    const ran = lab.ran();

    await using later = await make(lab.agent);
    await later.resume(facade.id);
    await shows(later, ["what is x?", ...parts]);
    assert.doesNotMatch(await later.shown(), /the server is down|and y\?/);
    assert.equal(lab.ran(), ran);
    assert.equal(later.id, facade.id);
  },

  "goes on where a resumed conversation stopped": async (make) => {
    await using lab = open(["First answer.", "Second answer."]);
    await using facade = await make(lab.agent);
    await facade.ask("one");
    await using later = await make(lab.agent);
    await later.resume(facade.id);
    await later.ask("two");
    await shows(later, ["First answer.", "Second answer."]);
    assert.match(sent(lab.model.requests.at(-1)), /First answer/);
  },

  "shows a failure as exactly the line that is recorded": async (make) => {
    await using lab = open([new Error("Cannot reach\nthe server: refused")]);
    await using facade = await make(lab.agent);
    await facade.ask("hi");
    const errors = (await lab.agent.read(facade.id))?.errors ?? [];
    assert.deepEqual(errors.map((e) => e.line), [
      "Cannot reach the server: refused",
    ]);
    await shows(facade, ["Cannot reach the server: refused"]);
    const once = (await facade.shown()).split("Cannot reach the server");
    assert.equal(once.length, 2, "the line is shown once");
  },

  "cancels a turn, records no error, and takes the next question": async (
    make,
  ) => {
    const started = Promise.withResolvers<void>();
    const waits: Step = (_request, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        started.resolve();
      });
    await using lab = open([waits, "Here again."]);
    await using facade = await make(lab.agent);
    const turn = facade.ask("never mind");
    await started.promise;
    await facade.cancel();
    await turn;
    await facade.ask("hi");
    await shows(facade, ["Here again."]);
    const state = await lab.agent.read(facade.id);
    assert.deepEqual(state?.errors, []);
    assert.equal(state?.turns, 1);
  },

  "runs a tool that is allowed": async (make) => {
    await using lab = open([echo, "Done."], "ask");
    await using facade = await make(lab.agent);
    facade.approves = "allow";
    await facade.ask("go");
    await shows(facade, ["Echo x", "Done."]);
    assert.equal(lab.ran(), 1);
    assert.equal(await approval(lab.agent, facade.id), "allowed");
  },

  "runs no tool that is denied": async (make) => {
    await using lab = open([echo, "I see."], "ask");
    await using facade = await make(lab.agent);
    facade.approves = "deny";
    await facade.ask("go");
    await shows(facade, ["Echo x", "I see."]);
    assert.equal(lab.ran(), 0);
    assert.equal(await approval(lab.agent, facade.id), "denied");
  },

  "shows a turn that another facade asked on the same session": async (
    make,
  ) => {
    await using lab = open(["First answer.", "Second answer."]);
    await using one = await make(lab.agent);
    await one.ask("one");
    await using two = await make(lab.agent, one.id);
    await two.ask("two");
    for (const facade of [one, two]) {
      await shows(facade, ["First answer.", "Second answer."]);
    }
    assert.equal((await lab.agent.list()).items.length, 1);
  },
} satisfies Record<string, (make: MakeDriver) => Promise<void>>;

interface Lab extends AsyncDisposable {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  /** How often the tool ran. */
  ran(): number;
}

function open(steps: readonly Step[], access: "auto" | "ask" = "auto"): Lab {
  let ran = 0;
  const tool: Tool = defineTool({
    name: "echo",
    description: "Says its text",
    kind: "read",
    input: object({ text: string() }),
    plan: ({ text }) => ({ title: `Echo ${text}`, access }),
    run: ({ text }) => {
      ran++;
      return Promise.resolve({ content: text });
    },
  });
  const model = new ScriptedModel(steps);
  const agent = new Agent({
    cwd: "/project",
    model,
    store: new MemoryStore(),
    bundles: [{ tools: [tool] }],
  });
  return {
    agent,
    model,
    ran: () => ran,
    [Symbol.asyncDispose]: () => agent[Symbol.asyncDispose](),
  };
}

/** Each of `parts` is shown, in this order. */
async function shows(
  facade: FacadeDriver,
  parts: readonly string[],
): Promise<void> {
  const text = await facade.shown();
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    assert.notEqual(at, -1, `"${part}" is not shown in its place:\n${text}`);
    from = at + part.length;
  }
}

async function approval(
  agent: Agent,
  id: string,
): Promise<string | undefined> {
  const state = await agent.read(id);
  const result = state?.messages.find((m) => m.role === "tool");
  return result?.role === "tool" ? result.approval : undefined;
}

function sent(request: unknown): string {
  return JSON.stringify(request);
}
