import {
  type Component,
  decodeKittyPrintable,
  matchesKey,
} from "@mariozechner/pi-tui";
import type { AgentHandle } from "../../../core/handle.ts";
import { errorLine } from "../../../core/error.ts";
import type { Summary } from "../../../core/store.ts";
import { summaryLine } from "../../../core/summary_line.ts";
import { oneLine } from "../sanitize.ts";
import { clip } from "./clip.ts";
import { Previews } from "./preview.ts";
import { SessionList } from "./session_list.ts";
import type { Theme } from "./theme.ts";

/** What the browser works with. */
export interface BrowserInit {
  readonly agent: AgentHandle;
  readonly theme: Theme;
  /** The session shown now: marked, and not to be deleted. */
  readonly current: string;
  readonly filter: string;
  /** Lines it may take. */
  readonly rows: () => number;
  readonly draw: () => void;
  readonly done: (id?: string) => void;
}

/** Chooses a session: arrows move, typing filters, a preview shows what it was about. */
export class Browser implements Component {
  readonly #init: BrowserInit;
  readonly #list: SessionList;
  readonly #previews: Previews;
  #question: Summary | undefined; // delete it?
  #problem: string | undefined;

  constructor(init: BrowserInit) {
    this.#init = init;
    this.#previews = new Previews(init.agent, init.draw);
    this.#list = new SessionList(init.agent, init.filter, () => {
      this.#look();
      init.draw();
    });
  }

  handleInput(data: string): void {
    this.#problem = undefined;
    if (this.#question) return this.#answer(this.#question, data);
    const page = Math.max(1, this.#heights().list - 1);
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) {
      return this.#close();
    }
    if (matchesKey(data, "enter")) {
      const { selected } = this.#list;
      return selected ? this.#close(selected.id) : undefined;
    }
    if (matchesKey(data, "up")) this.#list.move(-1);
    else if (matchesKey(data, "down")) this.#list.move(1);
    else if (matchesKey(data, "pageUp")) this.#list.move(-page);
    else if (matchesKey(data, "pageDown")) this.#list.move(page);
    else if (matchesKey(data, "home")) this.#list.move(-Infinity);
    else if (matchesKey(data, "end")) this.#list.move(Infinity);
    else if (matchesKey(data, "delete") || matchesKey(data, "ctrl+d")) {
      this.#askToDelete();
    } else this.#type(data);
    this.#look();
  }

  render(width: number): string[] {
    const { dim } = this.#init.theme;
    const { list, preview } = this.#heights();
    return [
      dim("─".repeat(width)),
      this.#title(width),
      ...this.#rows(list, width),
      ...preview > 0 ? this.#preview(preview, width) : [],
      this.#keys(width),
      dim("─".repeat(width)),
    ];
  }

  invalidate(): void {}

  #heights(): { list: number; preview: number } {
    const free = Math.max(4, this.#init.rows() - 5);
    const preview = free >= 12 ? Math.min(8, Math.floor(free / 2)) : 0;
    const list = free - (preview > 0 ? preview + 1 : 0);
    const items = Math.max(3, this.#list.items.length);
    return { list: Math.min(list, 12, items), preview };
  }

  #title(width: number): string {
    const { bold, dim, accent } = this.#init.theme;
    const { filter, items, more, loading } = this.#list;
    const count = loading ? "…" : `${items.length}${more ? "+" : ""}`;
    const typed = filter
      ? `${accent(oneLine(filter))}▏`
      : dim("type to filter");
    return clip(`${bold("Conversations")} ${dim(count)}  ${typed}`, width);
  }

  #rows(height: number, width: number): string[] {
    const { items, index, problem } = this.#list;
    if (problem !== undefined) {
      return [this.#init.theme.bad(clip(`  ${oneLine(problem)}`, width))];
    }
    if (items.length === 0) {
      return [this.#init.theme.dim(clip(`  ${this.#nothing()}`, width))];
    }
    const top = Math.max(
      0,
      Math.min(index - (height >> 1), items.length - height),
    );
    return items.slice(top, top + height)
      .map((s, i) => this.#row(s, top + i === index, width));
  }

  #nothing(): string {
    if (this.#list.loading) return "Looking …";
    return this.#list.filter ? "None matches" : "No conversation yet";
  }

  #row(summary: Summary, selected: boolean, width: number): string {
    const { accent, bad, dim } = this.#init.theme;
    const unreadable = summary.unreadable !== undefined;
    const here = summary.id === this.#init.current ? dim(" (this one)") : "";
    const line = oneLine(summaryLine(summary, new Date()));
    const text = unreadable ? `${summary.id} ${line}` : line;
    const styled = unreadable ? bad(text) : selected ? accent(text) : text;
    return clip(`${selected ? accent("›") : " "} ${styled}${here}`, width);
  }

  #preview(height: number, width: number): string[] {
    const { dim } = this.#init.theme;
    const { selected } = this.#list;
    const lines = selected ? this.#previews.of(selected) : [];
    // The question it began with, then how it ended.
    const shown = lines.length <= height
      ? lines
      : [lines[0] ?? "", "  …", ...lines.slice(2 - height)];
    const rule = selected ? `── ${selected.id} ` : "";
    return [
      dim(clip(rule.padEnd(width, "─"), width)),
      ...Array.from({ length: height }, (_, i) => clip(shown[i] ?? "", width)),
    ];
  }

  #keys(width: number): string {
    const { dim, warn, bad } = this.#init.theme;
    if (this.#problem) return bad(clip(this.#problem, width));
    if (this.#question) {
      const name = oneLine(this.#question.title) || this.#question.id;
      return warn(
        clip(
          `Delete "${name}" for good? y deletes, any other key keeps`,
          width,
        ),
      );
    }
    return dim(clip("↑↓ move · enter open · del delete · esc close", width));
  }

  #type(data: string): void {
    if (matchesKey(data, "backspace")) {
      this.#list.filter = [...this.#list.filter].slice(0, -1).join("");
    } else if (matchesKey(data, "ctrl+u")) {
      this.#list.filter = "";
    } else {
      const text = printable(decodeKittyPrintable(data) ?? data);
      if (text) this.#list.filter += text;
    }
  }

  #askToDelete(): void {
    const { selected } = this.#list;
    if (selected?.id === this.#init.current) {
      this.#problem = "This is the conversation you are in: /new first";
    } else {
      this.#question = selected;
    }
  }

  #answer({ id }: Summary, data: string): void {
    this.#question = undefined;
    const key = decodeKittyPrintable(data) ?? data;
    if (key === "y" || key === "Y") void this.#delete(id);
  }

  async #delete(id: string): Promise<void> {
    try {
      await this.#init.agent.remove(id);
      this.#list.drop(id);
    } catch (error) {
      this.#problem = oneLine(errorLine(error));
    }
    this.#look();
    this.#init.draw();
  }

  #look(): void {
    this.#previews.look(this.#list.selected);
  }

  #close(id?: string): void {
    this.#list.close();
    this.#previews.close();
    this.#init.done(id);
  }
}

// Keys that are not text send escapes; a paste brings its marks along.
function printable(data: string): string {
  const text = data.replace("\x1b[200~", "").replace("\x1b[201~", "");
  return text.startsWith("\x1b") || text < " " || text === "\x7f"
    ? ""
    : oneLine(text);
}
