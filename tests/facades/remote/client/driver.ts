import assert from "node:assert/strict";
import type { Agent } from "../../../../core/agent.ts";
import { contentText } from "../../../../core/message.ts";
import type { RemoteClient } from "../../../../facades/remote/client/client.ts";
import { type Item, items } from "../../../../facades/remote/client/items.ts";
import type { FacadeDriver } from "../../../facade_suite.ts";
import { close, connect, serve, until } from "./lab.ts";

/** A person at a page: a real server on the agent, and a client of it. */
export async function remoteDriver(
  agent: Agent,
  id?: string,
): Promise<FacadeDriver> {
  const server = await serve(agent);
  return await clientDriver(connect(server), id, () => close(server));
}

/** A person at a page with a client that is there. */
export async function clientDriver(
  client: RemoteClient,
  id?: string,
  close: () => Promise<void> = async () => {},
): Promise<FacadeDriver> {
  if (id === undefined) await client.create();
  else await client.attach(id);
  return new RemoteDriver(client, close);
}

class RemoteDriver implements FacadeDriver {
  approves: "allow" | "deny" = "allow";
  readonly #client: RemoteClient;
  readonly #close: () => Promise<void>;
  readonly #answered = new Set<string>();

  constructor(client: RemoteClient, close: () => Promise<void>) {
    this.#client = client;
    this.#close = close;
    client.subscribe(() => this.#approve());
  }

  get id(): string {
    return this.#client.view?.session ?? "";
  }

  async ask(text: string): Promise<void> {
    const { view } = this.#client;
    assert(view);
    await this.#client.say(text);
    await until(this.#client, () => this.#client.view?.running === false);
  }

  async cancel(): Promise<void> {
    await this.#client.send<"cancel">({ type: "cancel", session: this.id });
  }

  async newConversation(): Promise<void> {
    await this.#client.create();
  }

  async resume(id: string): Promise<void> {
    await this.#client.attach(id);
  }

  shown(): string {
    const { view } = this.#client;
    return view ? items(view).map(text).join("\n") : "";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    await this.#close();
  }

  #approve(): void {
    for (const { request, decision } of this.#client.view?.approvals ?? []) {
      if (decision || this.#answered.has(request.id)) continue;
      this.#answered.add(request.id);
      void this.#client.send<"approve">({
        type: "approve",
        session: this.id,
        request: request.id,
        outcome: this.approves === "allow" ? "allow_once" : "reject",
      });
    }
  }
}

function text(item: Item): string {
  switch (item.type) {
    case "user":
      return contentText(item.content);
    case "assistant":
    case "thought":
    case "summary":
      return item.text;
    case "tool":
      return item.result.title ?? item.call.name;
    case "running_tool":
      return item.tool.title;
    case "note":
      return item.note.text;
    default:
      return "";
  }
}
