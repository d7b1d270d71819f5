import type { Agent } from "../../../core/agent.ts";
import { searchStore } from "../../../core/search/search_store.ts";
import type { ListQuery, Page } from "../../../core/store.ts";
import { Refused } from "./refused.ts";
import type { Ack, ClientMessage, Listed } from "../wire.ts";

/** What a client wants listed. */
export type ListMessage = ClientMessage & { readonly type: "list" };

/** Lists conversations for all clients; searches go one after the other, for they read a lot. */
export class Lists {
  readonly #agent: Agent;
  #searching: Promise<unknown> = Promise.resolve();

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** One page of conversations, newest first; of those that hold words, the best first. */
  async list(message: ListMessage): Promise<Pick<Ack, "sessions" | "next">> {
    const words = message.search?.split(/\s+/).filter(Boolean) ?? [];
    const { items, next } = words.length > 0
      ? await this.#search(words, message)
      : await this.#page(message);
    const live = this.#agent.live();
    const running = new Set(live.filter((s) => s.running).map((s) => s.id));
    const sessions = items.map((listed) => ({
      ...listed,
      ...(running.has(listed.id) && { running: true }),
    }));
    return { sessions, ...(next !== undefined && { next }) };
  }

  async #page({ text, cursor, limit }: ListMessage): Promise<Page<Listed>> {
    const query: ListQuery = {
      limit: limit ?? PAGE,
      ...(text && { text }),
      ...(cursor && { cursor }),
    };
    try {
      return await this.#agent.list(query);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new Refused("bad_message", error.message);
    }
  }

  async #search(
    words: readonly string[],
    { text = "", limit = PAGE }: ListMessage,
  ): Promise<Page<Listed>> {
    const search = this.#searching.then(async () => {
      const { store } = this.#agent;
      return searchStore(store, { words, limit }, await this.#ruledOut(text));
    });
    this.#searching = search.catch(() => {}); // told to the one who asked
    const { found } = await search;
    const items = found.map(({ summary, snippets }) => ({
      ...summary,
      snippets: snippets.map((snippet) => snippet.text),
    }));
    return { items };
  }

  // Those whose title lacks `text`: they must not take the place of others.
  async #ruledOut(text: string): Promise<Set<string>> {
    if (text === "") return new Set();
    const part = text.toLowerCase();
    const { items } = await this.#agent.list({
      limit: Number.MAX_SAFE_INTEGER,
    });
    const others = items.filter((s) => !s.title.toLowerCase().includes(part));
    return new Set(others.map(({ id }) => id));
  }
}

/** How many are listed when the client does not say. */
const PAGE = 50;
