import { dispatch, parseCommand } from "../../../core/command.ts";
import { errorLine } from "../../../core/error.ts";
import type { Update } from "../../../core/event.ts";
import type { ScreenHost } from "../../../core/facade.ts";
import { contentText } from "../../../core/message.ts";
import { replay } from "../../../core/replay.ts";
import type { SessionHandle } from "../../../core/handle.ts";
import { Attached } from "../attached.ts";
import { CANCELLED, DONE } from "../exit_code.ts";
import { earlierLine, FIRST_STEP, resumedLine } from "../words.ts";
import { ApprovalQueue } from "./approval_queue.ts";
import { Browser } from "./browser.ts";
import { commandHost } from "./command_host.ts";
import { Completion } from "./completion.ts";
import type { History } from "./history.ts";
import { Keys } from "./keys.ts";
import { ProjectFiles } from "./project_files.ts";
import { recent } from "./recent.ts";
import { Screen } from "./screen.ts";
import type { Theme } from "./theme.ts";

/** A conversation on a TTY. */
export class App {
  readonly #host: ScreenHost;
  readonly #history: History;
  readonly #screen: Screen;
  readonly #attached: Attached;
  readonly #approvals: ApprovalQueue;
  readonly #end = new AbortController();
  #work = new AbortController(); // what Esc stops
  #left = false; // the user could not say so

  constructor(host: ScreenHost, theme: Theme, history: History) {
    this.#host = host;
    this.#history = history;
    this.#screen = new Screen(theme, () => this.session);
    this.#attached = new Attached(
      host.agent,
      host.session ?? host.agent.create(),
      { approves: true, listener: (update) => this.#update(update) },
    );
    this.#approvals = new ApprovalQueue(this.#screen, {
      decide: (id, decision) => this.session.decide(id, decision),
    });
  }

  get session(): SessionHandle {
    return this.#attached.session;
  }

  /** Runs until the user leaves or the program is told to. */
  async run(): Promise<number> {
    const { signal } = this.#host;
    const end = () => this.#end.abort();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    try {
      await this.#open();
      await aborted(this.#end.signal);
    } finally {
      signal.removeEventListener("abort", end);
      await this.#attached.close();
      await this.#screen.clear();
    }
    return signal.aborted || this.#left ? CANCELLED : DONE;
  }

  /** Ends it as if told to: what runs is cancelled and saved. */
  leave(): void {
    this.#left = true;
    this.#end.abort();
  }

  /** Gives the terminal back. */
  stop(): void {
    this.#screen.tui.stop();
  }

  async #open(): Promise<void> {
    const { transcript, editor, tui } = this.#screen;
    const { agent, notices, quiet } = this.#host;
    const commands = this.#commands();
    const files = new ProjectFiles(agent.cwd);
    editor.setAutocompleteProvider(new Completion(commands, files));
    editor.onSubmit = (text) => void this.#submit(text);
    tui.addInputListener(this.#keys().listener);
    for (const notice of quiet ? [] : notices) transcript.note(notice);
    if (this.session.state.seq > 0) {
      this.#replay();
      transcript.note(resumedLine(this.session));
    }
    this.#screen.start();
    this.#catchUp();
    for (const entry of await this.#history.load()) editor.addToHistory(entry);
    if (!quiet) void this.#greet();
  }

  // After the prompt is up: a large folder takes its time.
  async #greet(): Promise<void> {
    try {
      const line = await earlierLine(this.#host.agent, this.session.id);
      const asked = this.session.state.seq > 0 || this.session.running;
      if (!asked) this.#screen.transcript.note(line ?? FIRST_STEP);
    } catch (error) {
      this.#screen.transcript.note(errorLine(error), true);
    }
    this.#screen.draw();
  }

  #keys(): Keys {
    const { editor, status } = this.#screen;
    return new Keys({
      editor,
      running: () => this.session.running,
      prompting: () => this.#approvals.prompting,
      cancel: () => this.#cancel(),
      quit: () => this.#end.abort(),
      hint: (text) => {
        status.hint = text;
        this.#screen.draw();
      },
      pressed: () => this.#approvals.pressed(),
    });
  }

  #commands() {
    return commandHost({
      agent: this.#host.agent,
      session: () => this.session,
      signal: this.#end.signal,
      transcript: this.#screen.transcript,
      draw: () => this.#screen.draw(),
      show: (session) => this.#show(session),
      browse: (text) => this.#browse(text),
      ask: (turn) => turn(this.#work.signal),
      quit: () => this.#end.abort(),
    });
  }

  async #submit(text: string): Promise<void> {
    const question = text.trim();
    if (!question) return;
    this.#screen.editor.addToHistory(question);
    void this.#history.add(question);
    try {
      if (parseCommand(question)) {
        this.#screen.transcript.command(question);
        await dispatch(question, this.#commands());
      } else {
        await this.#ask(question);
      }
    } catch (error) {
      // The store cannot write: there is no event that says so.
      this.#screen.transcript.fail(errorLine(error));
    }
    this.#screen.draw();
  }

  async #ask(question: string): Promise<void> {
    const { pending } = this.#screen;
    pending.add(question);
    this.#screen.draw();
    try {
      await (this.session.running
        ? this.session.steer(question)
        : this.session.prompt(question, this.#work.signal));
    } finally {
      pending.remove(question);
    }
  }

  #cancel(): void {
    this.#work.abort(new DOMException("Cancelled", "AbortError"));
    this.#work = new AbortController();
    this.session.cancel();
  }

  #update(update: Update): void {
    const { transcript, pending, spinner } = this.#screen;
    if (update.type === "message" && update.message.role === "user") {
      pending.remove(contentText(update.message.content));
    }
    switch (update.type) {
      case "running":
        if (update.running) spinner.start(update.activity);
        else spinner.stop();
        break;
      case "text":
      case "thought":
        spinner.count(update.text);
        break;
      case "approval_asked":
      case "approval_settled":
        this.#approvals.update(update);
        break;
    }
    transcript.update(update);
    this.#screen.draw();
  }

  async #show(session: SessionHandle): Promise<void> {
    // What it is now is shown before anything more happens in it.
    const changed = this.#attached.change(session);
    this.#screen.pending.clear();
    this.#replay();
    this.#catchUp();
    await changed;
  }

  // Another facade may be in the middle of a turn.
  #catchUp(): void {
    const { running, approvals } = this.session;
    for (const live of this.session.passing()) {
      this.#screen.transcript.update(live);
    }
    this.#approvals.reset(approvals);
    if (running) this.#screen.spinner.start();
    else this.#screen.spinner.stop();
  }

  #replay(): void {
    const { transcript } = this.#screen;
    const items = [...replay(this.session.state)];
    const shown = recent(items);
    const left = items.length - shown.length;
    if (left > 0) {
      transcript.note(
        `… ${left} earlier entries are not drawn: mm sessions show ${this.session.id} prints all`,
      );
    }
    for (const item of shown) transcript.replay(item);
  }

  #browse(filter: string): Promise<string | undefined> {
    const screen = this.#screen;
    return new Promise((resolve) => {
      const browser = new Browser({
        agent: this.#host.agent,
        theme: screen.theme,
        current: this.session.id,
        filter,
        rows: () => screen.tui.terminal.rows - 2,
        draw: () => screen.draw(),
        done: (id) => {
          this.#approvals.resume();
          resolve(id);
        },
      });
      this.#approvals.pause();
      screen.show(browser);
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
}
