import {
  type AgentContext,
  type ClientCapabilities,
  methods,
  type RequestPermissionRequest,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Shows } from "./show/shows.ts";

/** The client: what it can do, and what is asked of it. */
export class Peer {
  readonly #context: AgentContext;
  /** As it said in `initialize`. */
  capabilities: ClientCapabilities = {};

  constructor(context: AgentContext) {
    this.#context = context;
  }

  get shows(): Shows {
    const { session } = this.capabilities;
    return {
      notices: Boolean(session?.notices),
      compaction: Boolean(session?.compaction),
    };
  }

  /** Resolves when the update is on its way, and there is room for another. */
  async update(sessionId: string, update: SessionUpdate): Promise<void> {
    const params = { sessionId, update };
    await this.#context.notify(methods.client.session.update, params);
  }

  /** Asks the user; an abort withdraws the question. The answer is not checked. */
  requestPermission(
    params: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<unknown> {
    const method = methods.client.session.requestPermission;
    return this.#context.request(method, params, until(signal));
  }

  /** The text of a file as the editor holds it. */
  async readFile(
    sessionId: string,
    path: string,
    signal: AbortSignal,
  ): Promise<string> {
    const method = methods.client.fs.readTextFile;
    const params = { sessionId, path };
    const answer: unknown = await this.#context.request(
      method,
      params,
      until(signal),
    );
    const { content } = (answer ?? {}) as { content?: unknown };
    if (typeof content === "string") return content;
    throw new TypeError(`Cannot read "${path}" in the editor`);
  }

  /** Has the editor write a file. */
  async writeFile(
    sessionId: string,
    path: string,
    content: string,
    signal: AbortSignal,
  ): Promise<void> {
    const method = methods.client.fs.writeTextFile;
    const params = { sessionId, path, content };
    await this.#context.request(method, params, until(signal));
  }
}

function until(signal: AbortSignal) {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
