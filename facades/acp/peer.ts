import type {
  RequestPermissionRequest,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Capabilities } from "./params.ts";
import type { Shows } from "./show/shows.ts";
import type { Connection } from "./wire/connection.ts";

/** The client: what it can do, and what is asked of it. */
export class Peer {
  readonly #connection: Connection;
  /** As it said in `initialize`. */
  capabilities: Capabilities = {};

  constructor(connection: Connection) {
    this.#connection = connection;
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
    await this.#connection.notify("session/update", { sessionId, update });
  }

  /** Asks the user; an abort withdraws the question. The answer is not checked. */
  requestPermission(
    params: RequestPermissionRequest,
    signal: AbortSignal,
  ): Promise<unknown> {
    const method = "session/request_permission";
    return this.#connection.request(method, params, signal);
  }

  /** The text of a file as the editor holds it. */
  async readFile(
    sessionId: string,
    path: string,
    signal: AbortSignal,
  ): Promise<string> {
    const method = "fs/read_text_file";
    const params = { sessionId, path };
    const answer = await this.#connection.request(method, params, signal);
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
    const method = "fs/write_text_file";
    const params = { sessionId, path, content };
    await this.#connection.request(method, params, signal);
  }
}
