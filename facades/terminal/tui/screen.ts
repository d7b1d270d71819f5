import { type Component, Container, Editor, TUI } from "@mariozechner/pi-tui";
import type { SessionHandle } from "../../../core/handle.ts";
import { Pending } from "./pending.ts";
import { CalmTerminal, forgetScrolled } from "./scrollback.ts";
import { Spinner } from "./spinner.ts";
import { StatusLine } from "./status_line.ts";
import type { Theme } from "./theme.ts";
import { Transcript } from "./transcript.ts";
import { TranscriptView } from "./transcript_view.ts";

/** Lines below the transcript besides the prompt: spinner, status, spare ones. */
const BOTTOM = 5;

/** What is on the screen, top to bottom, and which part hears the keys. */
export class Screen {
  readonly theme: Theme;
  readonly tui = new TUI(new CalmTerminal());
  readonly transcript = new Transcript();
  readonly pending: Pending;
  readonly spinner: Spinner;
  readonly editor: Editor;
  readonly status: StatusLine;
  readonly #view: TranscriptView;
  readonly #prompt = new Container();
  #forgetting = false;

  constructor(theme: Theme, session: () => SessionHandle) {
    this.theme = theme;
    this.#view = new TranscriptView(
      this.transcript.blocks,
      theme,
      () => this.#room(),
    );
    this.pending = new Pending(theme);
    this.spinner = new Spinner(theme, () => this.draw());
    this.editor = new Editor(this.tui, theme.editor, { paddingX: 1 });
    this.status = new StatusLine(theme, session);
  }

  start(): void {
    const { tui } = this;
    for (
      const part of [
        this.#view,
        this.pending,
        this.spinner,
        this.#prompt,
        this.status,
      ]
    ) tui.addChild(part);
    this.showEditor();
    tui.start();
  }

  /** Draws soon; many calls make one drawing. */
  draw(): void {
    this.tui.requestRender();
    if (this.#forgetting) return;
    this.#forgetting = true;
    setTimeout(() => {
      this.#forgetting = false;
      forgetScrolled(this.tui, (top) => this.#view.forget(top));
    }, 100);
  }

  /** The editor hears the keys. */
  showEditor(): void {
    this.show(this.editor);
  }

  /** `component` stands in place of the editor and hears the keys. */
  show(component: Component): void {
    this.#prompt.clear();
    this.#prompt.addChild(component);
    this.tui.setFocus(component);
    this.draw();
  }

  #room(): number {
    const { rows, columns } = this.tui.terminal;
    return rows - BOTTOM - this.#prompt.render(columns).length;
  }

  /** Leaves the conversation on the terminal, and nothing else. */
  async clear(): Promise<void> {
    this.spinner.stop();
    this.tui.clear();
    this.tui.addChild(this.#view);
    this.#view.apart = false;
    this.draw();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
