import type { ApprovalMode } from "./approval.ts";
import type { Command } from "./command.ts";
import { builtinCommands } from "./commands/all.ts";
import { type Compactor, summarizer } from "./compaction.ts";
import { fold, type SessionState } from "./fold.ts";
import { assertId, newId } from "./id.ts";
import { MemoryStore } from "./memory_store.ts";
import type { Model } from "./model.ts";
import type { Bundle } from "./plugin.ts";
import SYSTEM from "./prompts/system.txt" with { type: "text" };
import { SessionRecord } from "./record.ts";
import { repair } from "./repair.ts";
import { serveAll } from "./serve_all.ts";
import { Session, type SessionSettings } from "./session.ts";
import type { ListQuery, Page, Store, Summary } from "./store.ts";
import type { Tool } from "./tool.ts";
import type { Kit } from "./turn_host.ts";

/** What an agent is made of. */
export interface AgentOptions {
  /** The folder conversations are about, absolute. */
  readonly cwd: string;
  /** What answers. */
  readonly model: Model;
  /** Opens another model by name, for `/model`. Without it the model is fixed. */
  readonly openModel?: (name: string) => Promise<Model>;
  /** Default: memory, lost with the process. The agent closes it. */
  readonly store?: Store;
  /** Tools, commands and hooks, in order. Default: none. */
  readonly bundles?: readonly Bundle[];
  /** Default: a summary by the model. */
  readonly compactor?: Compactor;
  /** Default: at 0.8 of the window, keeping 2 turns. */
  readonly compaction?: { readonly at?: number; readonly keepTurns?: number };
  /** What names a conversation: its first question (the default), or the model after its first turn. */
  readonly titles?: "question" | "model";
  /** Default `ask`. */
  readonly mode?: ApprovalMode;
  /** Model calls a turn may take. Default 50. */
  readonly maxRounds?: number;
  /** Replaces mm's own system prompt. */
  readonly prompt?: string;
  /** Added to the system prompt: what the project wants (AGENTS.md). */
  readonly instructions?: string;
  /** Told what a listener threw; the session's other listeners are told in any case. */
  readonly broken?: (error: unknown) => void;
  /** Default: the system's clock. */
  readonly now?: () => Date;
}

/** Sessions, and what they work with. */
export class Agent implements AsyncDisposable {
  /** The folder conversations are about, absolute. */
  readonly cwd: string;
  /** Where they are kept. */
  readonly store: Store;
  /** Every command, in the order they are listed: what lists them is what runs them. */
  readonly commands: readonly Command[];
  readonly #options: AgentOptions;
  readonly #kit: Kit;
  readonly #now: () => Date;
  readonly #live = new Map<string, Session>();
  readonly #loading = new Map<string, Promise<Session | undefined>>();
  readonly #given = new WeakMap<Session, number>(); // how often it was asked for
  #model: Model;

  /** Makes an agent; nothing is read or written yet. */
  constructor(options: AgentOptions) {
    const bundles = options.bundles ?? [];
    this.#options = options;
    this.#now = options.now ?? (() => new Date());
    this.#model = options.model;
    this.cwd = options.cwd;
    this.store = options.store ?? new MemoryStore();
    this.commands = [
      ...builtinCommands,
      ...bundles.flatMap((b) => b.commands ?? []),
    ];
    this.#kit = {
      tools: bundles.flatMap((b) => b.tools ?? []),
      hooks: bundles,
      serve: (request, signal) => serveAll(bundles, request, signal),
      compactor: options.compactor ?? summarizer,
      compaction: { at: 0.8, keepTurns: 2, ...options.compaction },
      titles: options.titles ?? "question",
      maxRounds: options.maxRounds ?? 50,
      maxRepeats: 3,
      system: (cwd) => this.#system(cwd),
      broken: options.broken ?? (() => {}),
      now: this.#now,
    };
  }

  /** The model new sessions start with. */
  get model(): Model {
    return this.#model;
  }

  /** The tools the model is offered. */
  get tools(): readonly Tool[] {
    return this.#kit.tools;
  }

  /** Opens another model by name; new sessions start with it. Throws when the name is refused. */
  async useModel(name: string, session?: Session): Promise<Model> {
    const { openModel } = this.#options;
    if (!openModel) throw new TypeError("Cannot change the model: it is fixed");
    const model = await openModel(name);
    if (session) session.settings.model = model;
    this.#model = model;
    return model;
  }

  /**
   * A new conversation. Nothing is written before its first question. A facade
   * whose clients name their conversations gives the `id`; throws a TypeError
   * when that is live already.
   */
  create(
    settings: Partial<SessionSettings> = {},
    id: string = newId(this.#now()),
  ): Session {
    assertId(id);
    if (this.#live.has(id)) {
      throw new TypeError(`Cannot create session ${id}: it is live already`);
    }
    return this.#open(id, undefined, settings);
  }

  /**
   * The conversation `id`: the live object when there is one, else from the
   * store. Undefined when the store has none. Throws UnreadableError.
   */
  async session(
    id: string,
    settings: Partial<SessionSettings> = {},
  ): Promise<Session | undefined> {
    assertId(id);
    return this.#give(this.#live.get(id)) ?? await this.#load(id, settings);
  }

  /** The state of a conversation, live or stored, as it would be resumed. Writes nothing. */
  async read(id: string): Promise<SessionState | undefined> {
    assertId(id);
    const live = this.#live.get(id);
    if (live && live.state.seq > 0) return live.state;
    const state = await this.store.read(id);
    if (!state) return undefined;
    return repair(state, this.#now()).reduce(
      (s, draft, i) =>
        fold(s, { at: s.updatedAt, ...draft, seq: state.seq + 1 + i }),
      state,
    );
  }

  /** Stored conversations, newest first. */
  list(query?: ListQuery): Promise<Page<Summary>> {
    return this.store.list(query);
  }

  /** The conversations in memory, whoever opened them. */
  live(): readonly Session[] {
    return [...this.#live.values()];
  }

  /** Forgets a conversation for good. Its turns are stopped first; where it is shown, a new one starts. */
  async remove(id: string): Promise<void> {
    assertId(id);
    await this.#loading.get(id)?.catch(() => {}); // told to who asked for it
    const live = this.#live.get(id);
    if (!live) return await this.store.remove(id);
    await live.erase();
    await this.release(live);
  }

  /**
   * Lets go of a conversation that no listener is left on, once it is saved; a
   * later `session(id)` reads it again. While others listen it stays.
   */
  async release(session: Session): Promise<void> {
    if (session.watched) return;
    const given = this.#given.get(session);
    await session.close();
    // Who looks for it in the store gets this one, and not what the store had.
    await this.#loading.get(session.id)?.catch(() => {});
    if (session.watched || this.#given.get(session) !== given) return;
    // Nothing was waited for since: whoever comes finds it, or reads it anew.
    if (this.#live.get(session.id) === session) this.#live.delete(session.id);
  }

  /** Stops what runs, saves, closes the store. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#loading.values());
    await Promise.all(this.live().map((session) => session.close()));
    this.#live.clear();
    await this.store[Symbol.asyncDispose]();
  }

  #give(session: Session | undefined): Session | undefined {
    if (session) this.#given.set(session, (this.#given.get(session) ?? 0) + 1);
    return session;
  }

  /** From the store, once for all who ask in the meantime. */
  #load(
    id: string,
    settings: Partial<SessionSettings>,
  ): Promise<Session | undefined> {
    const loading = this.#loading.get(id) ??
      this.#read(id, settings).finally(() => this.#loading.delete(id));
    this.#loading.set(id, loading);
    return loading;
  }

  async #read(
    id: string,
    settings: Partial<SessionSettings>,
  ): Promise<Session | undefined> {
    const state = await this.store.read(id);
    // One that was created while it was looked for is the one there is.
    return this.#give(
      this.#live.get(id) ?? (state && this.#open(id, state, settings)),
    );
  }

  #open(
    id: string,
    state: SessionState | undefined,
    settings: Partial<SessionSettings>,
  ): Session {
    const all: SessionSettings = {
      model: this.#model,
      mode: this.#options.mode ?? "ask",
      roots: [this.cwd],
      servers: [],
      ...settings,
    };
    const record = new SessionRecord(id, {
      store: this.store,
      cwd: all.roots[0] ?? this.cwd,
      model: () => all.model.name,
      now: this.#now,
    }, state);
    const session = new Session(record, () => this.#kit, all);
    this.#live.set(id, session);
    record.subscribe((update) => {
      if (update.type !== "moved") return;
      // The old id is another's conversation from now on.
      if (this.#live.get(update.from) === session) {
        this.#live.delete(update.from);
      }
      this.#live.set(update.to, session);
    });
    return session;
  }

  // The date and not the time: a prompt that changes every minute defeats the server's cache.
  #system(cwd: string): string {
    const { prompt = SYSTEM.trim(), instructions } = this.#options;
    const date = this.#now().toISOString().slice(0, 10);
    const parts = [prompt, `Working folder: ${cwd}\nDate: ${date}`];
    if (instructions) {
      parts.push(`What this project asks of you:\n\n${instructions}`);
    }
    return parts.join("\n\n");
  }
}
