import {
  type CommandHost,
  dispatch,
  parseCommand,
} from "../../core/command.ts";
import { errorLine } from "../../core/error.ts";
import type { Update } from "../../core/event.ts";
import type { ScreenHost } from "../../core/facade.ts";
import { replay } from "../../core/replay.ts";
import type { SessionHandle } from "../../core/handle.ts";
import { Attached } from "./attached.ts";
import type { Edges } from "./edges.ts";
import { CANCELLED, DONE, exitCode, FAILED } from "./exit_code.ts";
import { JsonPrinter } from "./json_printer.ts";
import { lines } from "./lines.ts";
import { Output } from "./output.ts";
import { PlainPrinter } from "./plain_printer.ts";
import type { Printer } from "./printer.ts";
import { earlierLine, resumedLine } from "./words.ts";

/** How long the end waits for a title, in milliseconds: the answer is there already. */
const TITLE_MS = 5_000;

/** A conversation off a TTY: questions in, answers out, no one to approve. */
export class PlainConversation {
  readonly #host: ScreenHost;
  readonly #edges: Edges;
  readonly #out: Output;
  readonly #err: Output;
  readonly #printer: Printer;
  readonly #attached: Attached;
  readonly #end = new AbortController();
  readonly #commands: CommandHost;
  #code = DONE;
  #held: Update[] | undefined; // what happens while the conversation is shown again
  #unread = false; // who read the answers went away
  #unwritten = false; // the answer could not be written
  #saying: "answer" | "report" = "answer";

  constructor(host: ScreenHost, edges: Edges) {
    this.#host = host;
    this.#edges = edges;
    this.#out = new Output(edges.stdout, (error) => this.#lost(error));
    this.#err = new Output(edges.stderr);
    this.#printer = printer(host, { out: this.#out, err: this.#err });
    this.#attached = new Attached(
      host.agent,
      host.session ?? host.agent.create(),
      {
        approves: false,
        listener: (update) => {
          this.#code = exitCode(this.#code, update);
          if (this.#unread) return;
          if (this.#held) this.#held.push(update);
          else this.#printer.update(update);
        },
      },
    );
    this.#printer.shows(this.#attached.session.id);
    this.#commands = this.#commandHost();
  }

  /** Asks one question and ends. */
  once(question = ""): Promise<number> {
    return this.#run(async () => {
      this.#notices();
      await this.#feed(question);
    });
  }

  /** Asks every line of stdin in turn and ends with it. */
  lines(): Promise<number> {
    return this.#run(async () => {
      this.#notices();
      const { session } = this.#attached;
      const greeting = session.state.seq > 0
        ? await this.#resumed(session)
        : this.#earlier();
      const { readable } = this.#edges.stdin;
      for await (const line of lines(readable, this.#end.signal)) {
        await this.#feed(line);
        if (this.#end.signal.aborted) break;
      }
      await greeting;
    });
  }

  async #run(work: () => Promise<void>): Promise<number> {
    const { signal } = this.#host;
    const end = () => this.#end.abort(signal.reason);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    try {
      await work();
    } catch (error) {
      this.#fail(errorLine(error));
    } finally {
      await this.#attached.close(signal.aborted ? 0 : TITLE_MS);
      await Promise.all([this.#out.flush(), this.#err.flush()]);
      signal.removeEventListener("abort", end);
    }
    return this.#unwritten ? FAILED : this.#code;
  }

  async #feed(line: string): Promise<void> {
    if (!line.trim()) return;
    if (parseCommand(line)) {
      this.#saying = "answer";
      await dispatch(line, this.#commands);
    } else {
      await this.#ask(async (signal) => {
        const end = await this.#attached.session.prompt(line, signal);
        if (end.status === "cancelled") this.#code = CANCELLED;
      });
    }
    await this.#out.flush();
  }

  async #ask(turn: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    this.#saying = "report";
    try {
      await turn(this.#end.signal);
    } catch (error) {
      // The store cannot write: there is no event that says so.
      this.#fail(errorLine(error));
    }
  }

  #fail(line: string): void {
    this.#code = FAILED;
    this.#printer.fail(line);
  }

  // A reader that went away (`| head -1`) is no failure to talk about.
  #lost(error: unknown): void {
    if (error instanceof Deno.errors.BrokenPipe) {
      this.#unread = true;
    } else {
      this.#unwritten = true;
      this.#fail(`Cannot write the answer: ${errorLine(error)}`);
    }
    this.#end.abort(new DOMException("Nobody reads", "AbortError"));
  }

  #notices(): void {
    for (const notice of this.#host.notices) this.#printer.note(notice);
  }

  async #resumed(session: SessionHandle): Promise<void> {
    await this.#replay(
      session,
      () => this.#printer.note(resumedLine(session)),
    );
  }

  // Another facade may be in the middle of a turn: what is `told` of all that
  // was before stands before what is being said.
  async #replay(session: SessionHandle, told = () => {}): Promise<void> {
    const held: Update[] = this.#held = [];
    const passing = [...session.passing()];
    await this.#printer.replay(replay(session.state));
    told();
    await this.#err.flush();
    if (this.#held !== held) return; // another conversation is shown by now
    this.#held = undefined;
    for (const update of [...passing, ...held]) this.#printer.update(update);
  }

  async #earlier(): Promise<void> {
    if (this.#host.quiet) return;
    const { agent } = this.#host;
    try {
      const line = await earlierLine(agent, this.#attached.session.id);
      if (line) this.#printer.note(line);
    } catch (error) {
      this.#printer.note(errorLine(error));
    }
  }

  #commandHost(): CommandHost {
    const attached = this.#attached;
    const { agent } = this.#host;
    const change = async (session: SessionHandle) => {
      this.#saying = "report";
      const changed = attached.change(session);
      this.#printer.shows(session.id);
      await this.#replay(session);
      await changed;
    };
    return {
      agent,
      get session() {
        return attached.session;
      },
      signal: this.#end.signal,
      say: (markdown) => this.#printer.say(markdown, this.#saying),
      fail: (line) => this.#fail(line),
      renew: () => change(agent.create()),
      show: change,
      save: async (name, text) => {
        const { saveFile } = await import("./save_file.ts");
        return await saveFile(agent.cwd, name, text);
      },
      ask: (turn) => this.#ask(turn),
      quit: () => this.#end.abort(),
    };
  }
}

function printer(
  { output, quiet, color }: ScreenHost,
  to: { readonly out: Output; readonly err: Output },
): Printer {
  // `color` speaks of stdout; where that is a terminal, stderr must be one too.
  const colored = color && (to.err.isTerminal || !to.out.isTerminal);
  const plain = new PlainPrinter(to, { quiet, color: colored });
  return output === "json" ? new JsonPrinter(to.out, plain) : plain;
}
