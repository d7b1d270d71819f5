import {
  client,
  type ClientConnection,
  methods,
  ndJsonStream,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import assert from "node:assert/strict";
import type { Agent } from "../../../core/agent.ts";
import { serve } from "../../../facades/acp/serve.ts";
import type { FacadeDriver } from "../../facade_suite.ts";
import { Pipe } from "./pipe.ts";

/** A person at an editor on a given agent, on a new session or on that of `id`. */
export async function acpDriver(
  agent: Agent,
  id?: string,
): Promise<AcpDriver> {
  const pipe = new Pipe();
  const left = serve({
    agent,
    output: "text",
    signal: new AbortController().signal,
    color: false,
    quiet: false,
    notices: [],
  }, { edges: pipe.edges, version: "1.2.3" });
  const driver = new AcpDriver(pipe, left);
  await driver.start(id);
  return driver;
}

/** A person at an editor. */
export class AcpDriver implements FacadeDriver {
  approves: "allow" | "deny" = "allow";
  id = "";
  readonly #pipe: Pipe;
  readonly #left: Promise<unknown>;
  readonly #connection: ClientConnection;
  #text = "";
  #last = "";

  constructor(pipe: Pipe, left: Promise<unknown>) {
    this.#pipe = pipe;
    this.#left = left.finally(() => pipe.close());
    const app = client({ name: "test" })
      .onRequest(methods.client.session.requestPermission, () => ({
        outcome: {
          outcome: "selected",
          optionId: this.approves === "allow" ? "allow_once" : "reject_once",
        },
      }))
      .onNotification(methods.client.session.update, ({ params }) => {
        if (params.sessionId === this.id) this.#show(params.update);
      });
    this.#connection = app.connect(ndJsonStream(pipe.writable, pipe.readable));
  }

  async start(id?: string): Promise<void> {
    const { agent } = this.#connection;
    await agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    });
    if (id !== undefined) return await this.resume(id);
    const opened = await agent.request(methods.agent.session.new, {
      cwd: Deno.cwd(),
      mcpServers: [],
    });
    this.id = opened.sessionId;
  }

  async ask(text: string): Promise<void> {
    await this.#connection.agent.request(methods.agent.session.prompt, {
      sessionId: this.id,
      prompt: [{ type: "text", text }],
    }).catch((error) => this.#line(error.message));
  }

  async cancel(): Promise<void> {
    const { id: sessionId } = this;
    await this.#connection.agent.notify(methods.agent.session.cancel, {
      sessionId,
    });
  }

  async newConversation(): Promise<void> {
    await this.ask("/new");
    this.#text = "";
  }

  async resume(id: string): Promise<void> {
    this.id = id;
    this.#text = "";
    await this.#connection.agent.request(methods.agent.session.load, {
      sessionId: id,
      cwd: Deno.cwd(),
      mcpServers: [],
    });
  }

  async shown(): Promise<string> {
    // What is on its way arrives in front of an answer.
    await this.#connection.agent.request(methods.agent.session.list, {});
    return this.#text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close();
    this.#pipe.end();
    await this.#left;
    assert.deepEqual(this.#pipe.faults, []);
  }

  #show(update: SessionUpdate): void {
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
      case "user_message_chunk":
        if (this.#last !== update.sessionUpdate) this.#text += "\n";
        if (update.content.type === "text") this.#text += update.content.text;
        break;
      case "tool_call":
        this.#line(update.title);
    }
    this.#last = update.sessionUpdate;
  }

  #line(text: string): void {
    this.#text += `\n${text}\n`;
  }
}
