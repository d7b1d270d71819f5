import { type Command, defineCommand } from "../../../core/command.ts";
import { builtinCommands } from "../../../core/commands/all.ts";
import { UserError } from "../../../core/error.ts";
import type { SessionState } from "../../../core/fold.ts";
import type { AgentHandle, SessionHandle } from "../../../core/handle.ts";
import { newId } from "../../../core/id.ts";
import type { Model } from "../../../core/model.ts";
import type { ListQuery, Page, Summary } from "../../../core/store.ts";
import type { CommandInfo } from "../wire.ts";
import type { RemoteClient } from "./client.ts";
import { Mirror } from "./mirror.ts";
import { RefusalError } from "./refusal_error.ts";
import { remoteModel } from "./remote_model.ts";
import { RemoteSession } from "./remote_session.ts";
import type { ConnectionState } from "./view.ts";

/** What a remote agent works with. */
export interface RemoteAgentInit {
  /** Online. */
  readonly client: RemoteClient;
  /** Another client of the same server, for a look at a session that is not shown. */
  readonly peek: () => RemoteClient;
  /** The folder that files are named from on this side. */
  readonly cwd: string;
  /** Milliseconds without the server until it is given up. Default: never. */
  readonly patience?: number | undefined;
}

/** What a screen does by itself, wherever its sessions live. */
const OWN = ["help", "new", "sessions", "resume", "export", "quit"];

/** The agent of a server, as screens and commands meet it. It shows one session at a time. */
export class RemoteAgent implements AgentHandle {
  readonly cwd: string;
  readonly tools = [];
  readonly #client: RemoteClient;
  readonly #peek: () => RemoteClient;
  #current: RemoteSession | undefined;
  readonly #patience: number | undefined;
  #told: ConnectionState = "online";
  #waiting: ReturnType<typeof setTimeout> | undefined;

  constructor({ client, peek, cwd, patience }: RemoteAgentInit) {
    this.#client = client;
    this.#peek = peek;
    this.cwd = cwd;
    this.#patience = patience;
    client.listen((change) => this.#current?.heard(change));
    client.subscribe(() => this.#changed());
  }

  get commands(): readonly Command[] {
    const theirs = this.#client.hello?.commands ?? [];
    const own = builtinCommands.filter(({ name }) => OWN.includes(name));
    const [last, ...others] = own.toReversed();
    return [
      ...others.toReversed(),
      ...theirs.filter(({ name }) => !OWN.includes(name)).map(remoteCommand),
      ...last ? [last] : [],
    ];
  }

  get model(): Model {
    return this.#current?.settings.model ?? remoteModel("");
  }

  create(): SessionHandle {
    const id = newId();
    const session: RemoteSession = new RemoteSession(
      this.#client,
      new Mirror({ session: id }).view,
      () => {
        this.#current = session;
        // What stands in its way is told by what is asked first.
        this.#client.create(id).catch(() => {});
      },
    );
    return session;
  }

  async session(id: string): Promise<SessionHandle | undefined> {
    if (this.#current?.id === id) return this.#current;
    const before = this.#current;
    this.#current = undefined; // it hears nothing of another session
    try {
      await this.#client.attach(id);
    } catch (error) {
      this.#current = before;
      if (error instanceof RefusalError && error.code === "no_session") {
        return undefined;
      }
      throw error;
    }
    const { view } = this.#client;
    if (!view) return undefined;
    return this.#current = new RemoteSession(this.#client, view);
  }

  /** By title and id; the server lists its own project alone. */
  async list(
    { text, cursor, limit }: ListQuery = {},
  ): Promise<Page<Summary>> {
    const ack = await this.#client.send<"list">({
      type: "list",
      ...(text !== undefined && { text }),
      ...(cursor !== undefined && { cursor }),
      ...(limit !== undefined && { limit: Math.min(limit, MAX_LIST) }),
    });
    const { sessions = [], next } = ack;
    return { items: sessions, ...(next !== undefined && { next }) };
  }

  async read(id: string): Promise<SessionState | undefined> {
    if (this.#current?.id === id) return this.#current.state;
    const client = this.#peek();
    const timer = setTimeout(() => client.close(), PEEK_MS);
    try {
      await client.attach(id);
      return client.view?.state;
    } catch (error) {
      if (!(error instanceof RefusalError)) throw error;
      if (error.code === "no_session") return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      client.close();
    }
  }

  async remove(session: string): Promise<void> {
    await this.#client.send<"delete">({ type: "delete", session });
  }

  /** The server lets go of what nobody watches. */
  release(): Promise<void> {
    return Promise.resolve();
  }

  useModel(): Promise<Model> {
    return Promise.reject(
      new UserError("Cannot change the model from here: /model does it there"),
    );
  }

  /** Leaves the server; what runs there runs on. */
  close(): void {
    clearTimeout(this.#waiting);
    this.#told = "offline"; // nobody need be told
    this.#client.close();
  }

  // What the client shows is the current session, or there is none.
  #changed(): void {
    const { view, connection, problem } = this.#client;
    if (view) this.#current?.seen(view);
    if (connection === this.#told || connection === "connecting") return;
    this.#told = connection;
    clearTimeout(this.#waiting);
    switch (connection) {
      case "online":
        return this.#note("info", "Connected again");
      case "offline":
        this.#waitInVain();
        return this.#note("warning", "Connection lost: trying again");
      case "refused": {
        const why = `Cannot go on: the server says "${problem ?? "no"}"`;
        this.#note("warning", why);
        return this.#current?.gone(why);
      }
    }
  }

  #waitInVain(): void {
    const ms = this.#patience;
    if (ms === undefined) return;
    const seconds = Math.round(ms / 1000);
    const why = `Cannot go on: no server for ${seconds} seconds`;
    this.#waiting = setTimeout(() => {
      this.#client.close(why);
      this.#current?.gone(why);
    }, ms);
  }

  #note(level: "info" | "warning", text: string): void {
    this.#current?.tell({ type: "notice", level, text });
  }
}

/** Sessions a server lists at once. */
const MAX_LIST = 200;

/** How long a look at another session may take. */
const PEEK_MS = 10_000;

function remoteCommand({ name, summary, hint }: CommandInfo): Command {
  return defineCommand({
    name,
    summary,
    ...(hint && { hint }),
    async run(args, host) {
      if (!(host.session instanceof RemoteSession)) {
        throw new TypeError("Cannot run it: the session is not on a server");
      }
      const said = await host.session.command(`/${name} ${args}`.trim());
      for (const markdown of said) host.say(markdown);
    },
  });
}
