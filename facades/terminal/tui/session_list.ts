import type { AgentHandle } from "../../../core/handle.ts";
import { errorLine } from "../../../core/error.ts";
import type { Summary } from "../../../core/store.ts";

/** Sessions a page: more come when the selection nears the end. */
const PAGE = 50;
/** Typing must pause so long before the list is asked again. */
const PAUSE_MS = 80;

/** The sessions that match a filter, as far as they were looked at. */
export class SessionList {
  readonly #agent: AgentHandle;
  readonly #changed: () => void;
  #items: readonly Summary[] = [];
  #next: string | undefined;
  #filter: string;
  #selected = 0;
  #asked = 0; // answers to older questions are dropped
  #loading = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Why the list cannot be had. */
  problem: string | undefined;

  constructor(agent: AgentHandle, filter: string, changed: () => void) {
    this.#agent = agent;
    this.#filter = filter;
    this.#changed = changed;
    void this.#load();
  }

  get items(): readonly Summary[] {
    return this.#items;
  }

  get loading(): boolean {
    return this.#loading;
  }

  get more(): boolean {
    return this.#next !== undefined;
  }

  get index(): number {
    return this.#selected;
  }

  get selected(): Summary | undefined {
    return this.#items[this.#selected];
  }

  get filter(): string {
    return this.#filter;
  }

  set filter(filter: string) {
    this.#filter = filter;
    this.#selected = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), PAUSE_MS);
  }

  move(by: number): void {
    const last = Math.max(0, this.#items.length - 1);
    this.#selected = Math.min(last, Math.max(0, this.#selected + by));
    const nearEnd = this.#selected > last - PAGE / 2;
    if (nearEnd && this.#next && !this.#loading) void this.#load(this.#next);
  }

  /** Forgets the selected one in the list; the record is the caller's. */
  drop(id: string): void {
    this.#items = this.#items.filter((s) => s.id !== id);
    this.move(0);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asked++;
  }

  async #load(cursor?: string): Promise<void> {
    const asked = ++this.#asked;
    this.#loading = true;
    const text = this.#filter;
    try {
      const page = await this.#agent.list({
        limit: PAGE,
        ...(text && { text }),
        ...(cursor && { cursor }),
      });
      if (asked !== this.#asked) return;
      this.#items = cursor ? [...this.#items, ...page.items] : page.items;
      this.#next = page.next;
      this.problem = undefined;
    } catch (error) {
      if (asked !== this.#asked) return;
      this.problem = errorLine(error);
    }
    this.#loading = false;
    this.#changed();
  }
}
