import assert from "node:assert/strict";
import type { Agent } from "../../core/agent.ts";
import type { Update } from "../../core/event.ts";
import { contentText } from "../../core/message.ts";
import { replay } from "../../core/replay.ts";
import type { Session } from "../../core/session.ts";
import {
  type FacadeDriver,
  facadeParts,
  facadeSuite,
  type MakeDriver,
} from "../facade_suite.ts";

/** The plainest facade there can be: text, straight from a session. */
class SessionDriver implements FacadeDriver {
  approves: "allow" | "deny" = "allow";
  protected text = "";
  readonly #agent: Agent;
  #session: Session;
  #stop: () => void = () => {};

  constructor(agent: Agent, session: Session) {
    this.#agent = agent;
    this.#session = session;
    this.#show(session);
  }

  get id(): string {
    return this.#session.id;
  }

  async ask(text: string): Promise<void> {
    await this.#session.prompt(text);
  }

  cancel(): Promise<void> {
    this.#session.cancel();
    return Promise.resolve();
  }

  newConversation(): Promise<void> {
    this.#show(this.#agent.create());
    return Promise.resolve();
  }

  async resume(id: string): Promise<void> {
    const session = await this.#agent.session(id);
    assert(session);
    this.#show(session);
  }

  shown(): string {
    return this.text;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stop();
    return Promise.resolve();
  }

  #show(session: Session): void {
    this.#stop();
    this.#session = session;
    this.text = "";
    for (const item of replay(session.state)) {
      if (item.type === "tool") this.line(item.result.title ?? "");
      if (item.type === "user") this.line(contentText(item.content));
      if (item.type === "assistant") this.line(item.text);
    }
    this.#stop = session.subscribe((u) => this.#hear(u), { approves: true });
  }

  #hear(update: Update): void {
    switch (update.type) {
      case "message":
        if (update.message.role !== "assistant") break;
        this.line(update.message.content);
        break;
      case "tool_started":
        this.line(update.title);
        break;
      case "failed":
        this.failure(update.line);
        break;
      case "approval_asked": {
        const outcome = this.approves === "allow" ? "allow_once" : "reject";
        this.#session.decide(update.request.id, { outcome });
        break;
      }
    }
  }

  protected line(text: string): void {
    this.text += `${text}\n`;
  }

  protected failure(line: string): void {
    this.line(line);
  }
}

/** Composes a red line of its own. */
class Embellishing extends SessionDriver {
  protected override failure(): void {
    this.line("Sorry, something went wrong");
  }
}

/** Forgets to show tools. */
class Toolless extends SessionDriver {
  protected override line(text: string): void {
    if (!text.startsWith("Echo ")) super.line(text);
  }
}

function driver(Driver: typeof SessionDriver): MakeDriver {
  return async (agent, id) => {
    const session = id === undefined ? agent.create() : await agent.session(id);
    assert(session);
    return new Driver(agent, session);
  };
}

facadeSuite("a session", driver(SessionDriver));

Deno.test("facadeSuite() refuses a facade that composes its own red line", async () => {
  const part = "shows a failure as exactly the line that is recorded";
  await assert.rejects(facadeParts[part](driver(Embellishing)), /not shown/);
});

Deno.test("facadeSuite() refuses a facade that shows no tools", async () => {
  const part =
    "replays what it showed live, running nothing and showing no error";
  await assert.rejects(facadeParts[part](driver(Toolless)), /"Echo x"/);
});
