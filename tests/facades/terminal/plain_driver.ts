import type { AgentHandle, SessionHandle } from "../../../core/handle.ts";
import { runTerminal } from "../../../facades/terminal/run.ts";
import type { FacadeDriver, FacadeSkips } from "../../facade_suite.ts";

/** What cannot be done off a TTY. */
export const plainSkips: FacadeSkips = {
  "cancels a turn, records no error, and takes the next question":
    "off a TTY there is no Esc: Ctrl-C ends the program",
  "runs a tool that is allowed": "off a TTY nobody can be asked",
};

/** A person who types lines into the terminal facade, off a TTY. */
export async function plainDriver(
  agent: AgentHandle,
  id?: string,
  close: () => Promise<void> = async () => {},
): Promise<FacadeDriver> {
  const session = id === undefined ? agent.create() : await agent.session(id);
  if (!session) throw new Error(`There is no session ${id}`);
  return new PlainDriver(agent, session, close);
}

class PlainDriver implements FacadeDriver {
  approves: "allow" | "deny" = "deny";
  readonly #run: Promise<number>;
  readonly #shown = new Shown();
  readonly #lines = new Lines();
  readonly #agent: WatchedAgent;
  readonly #close: () => Promise<void>;

  constructor(
    agent: AgentHandle,
    session: SessionHandle,
    close: () => Promise<void>,
  ) {
    this.#close = close;
    this.#agent = new WatchedAgent(agent, session);
    this.#run = runTerminal({
      agent: this.#agent,
      session,
      output: "text",
      signal: new AbortController().signal,
      color: false,
      quiet: false,
      notices: [],
    }, {
      stdin: { readable: this.#lines.readable, isTerminal: false },
      stdout: this.#shown,
      stderr: this.#shown,
      env: () => undefined,
    });
  }

  get id(): string {
    return this.#agent.shown.id;
  }

  async ask(text: string): Promise<void> {
    await this.#lines.type(text);
  }

  cancel(): Promise<void> {
    return Promise.reject(new Error("There is no Esc off a TTY"));
  }

  async newConversation(): Promise<void> {
    await this.#lines.type("/new");
  }

  async resume(id: string): Promise<void> {
    await this.#lines.type(`/resume ${id}`);
  }

  shown(): string {
    return this.#shown.text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lines.end();
    await this.#run;
    await this.#close();
  }
}

/** Lines that are typed; whoever reads takes one at a time. */
class Lines {
  #wanted = Promise.withResolvers<void>();
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  readonly readable = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#controller = controller;
    },
    pull: () => this.#wanted.resolve(),
  }, { highWaterMark: 0 });

  /** Resolves when the reader wants the next line. */
  async type(line: string): Promise<void> {
    await this.#wanted.promise;
    this.#wanted = Promise.withResolvers();
    this.#controller?.enqueue(new TextEncoder().encode(`${line}\n`));
    await this.#wanted.promise;
  }

  end(): void {
    this.#controller?.close();
  }
}

class Shown {
  readonly isTerminal = false;
  text = "";
  readonly #decoder = new TextDecoder();

  write(bytes: Uint8Array): Promise<number> {
    this.text += this.#decoder.decode(bytes, { stream: true });
    return Promise.resolve(bytes.length);
  }
}

/** An agent that tells which session was asked of it last. */
class WatchedAgent implements AgentHandle {
  readonly #agent: AgentHandle;
  shown: SessionHandle;

  constructor(agent: AgentHandle, shown: SessionHandle) {
    this.#agent = agent;
    this.shown = shown;
  }

  get commands() {
    return this.#agent.commands;
  }

  get cwd() {
    return this.#agent.cwd;
  }

  get model() {
    return this.#agent.model;
  }

  get tools() {
    return this.#agent.tools;
  }

  create(): SessionHandle {
    return this.shown = this.#agent.create();
  }

  async session(id: string): Promise<SessionHandle | undefined> {
    const session = await this.#agent.session(id);
    if (session) this.shown = session;
    return session;
  }

  list: AgentHandle["list"] = (query) => this.#agent.list(query);
  read: AgentHandle["read"] = (id) => this.#agent.read(id);
  remove: AgentHandle["remove"] = (id) => this.#agent.remove(id);
  release: AgentHandle["release"] = (s) => this.#agent.release(s);
  useModel: AgentHandle["useModel"] = (n, s) => this.#agent.useModel(n, s);
}
