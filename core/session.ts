import type { ApprovalMode, ApprovalRequest, Decision } from "./approval.ts";
import { Approvals } from "./approval.ts";
import { type CompactionEnd, compactNow } from "./compact_session.ts";
import { errorLine } from "./error.ts";
import type { Failure, Live } from "./event.ts";
import type { SessionState } from "./fold.ts";
import { newId, newMessageId } from "./id.ts";
import type { Content } from "./message.ts";
import type { Model } from "./model.ts";
import { Passing } from "./passing.ts";
import type { Listener, SessionRecord } from "./record.ts";
import type { ToolServer } from "./server.ts";
import { SessionServers } from "./session_servers.ts";
import { soon } from "./soon.ts";
import { makeTitle, questionTitle } from "./title.ts";
import type { EditorFiles } from "./tool.ts";
import { runTurn, type TurnEnd } from "./turn.ts";
import type { Kit, TurnHost } from "./turn_host.ts";

/** What may be set for one session. */
export interface SessionSettings {
  /** What answers from the next turn on. */
  model: Model;
  /** Who decides on tool calls, from the next call on. */
  mode: ApprovalMode;
  /** Folders the file tools may touch without asking; the first is the base of relative paths. */
  roots: readonly string[];
  /** Tool servers that belong to this session alone. */
  servers: readonly ToolServer[];
  /** The editor the user works in, where there is one. */
  files?: EditorFiles;
}

/**
 * One conversation, live. All facades that show an id share this object, so
 * they cannot diverge. Its turns run one after the other, in order of arrival.
 */
export class Session {
  readonly #record: SessionRecord;
  readonly #kit: () => Kit;
  readonly #approvals = new Approvals();
  readonly #passing = new Passing();
  readonly #allowed = new Map<string, Set<string>>();
  /** May be changed at any time. */
  readonly settings: SessionSettings;
  #approvers = 0;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #turn: AbortController | undefined;
  #asking: AbortSignal | undefined;
  #stop = new AbortController();
  #listeners = 0;
  #servers: SessionServers | undefined;
  #naming: Promise<unknown> | undefined;

  /** Made by the agent, which shares one object for each id. */
  constructor(
    record: SessionRecord,
    kit: () => Kit,
    settings: SessionSettings,
  ) {
    this.#record = record;
    this.#kit = kit;
    this.settings = settings;
    record.subscribe((update) => this.#passing.hear(update));
  }

  /** Id of the record. It changes when another process wrote to the same one (`moved`). */
  get id(): string {
    return this.#record.id;
  }

  /** The conversation as it stands. */
  get state(): SessionState {
    return this.#record.state;
  }

  /** A turn or a compaction is under way. */
  get running(): boolean {
    return this.#turn !== undefined;
  }

  /** Somebody listens. */
  get watched(): boolean {
    return this.#listeners > 0;
  }

  /** Turns that wait behind the running one. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Approvals that wait for an answer, oldest first. */
  get approvals(): readonly ApprovalRequest[] {
    return this.#approvals.open;
  }

  /** What is shown and not on record yet, as updates that tell it to who comes late. */
  passing(): Iterable<Live> {
    return this.#passing.updates();
  }

  /**
   * Hears every update from now on; the returned function stops it. With
   * `approves`, questions may be left to this listener: while there is none,
   * what would be asked is denied. One that throws hears nothing more.
   */
  subscribe(
    listener: Listener,
    options: { readonly approves?: boolean } = {},
  ): () => void {
    const vote = options.approves ? 1 : 0;
    this.#approvers += vote;
    this.#listeners++;
    let on = true;
    const leave = () => {
      if (!on) return;
      on = false;
      stop();
      this.#approvers -= vote;
      this.#listeners--;
    };
    const stop = this.#record.subscribe((update) => {
      try {
        listener(update);
      } catch (error) {
        leave(); // what it shows is not the conversation any more
        this.#kit().broken(error);
        const text = `A screen failed and shows no more: ${errorLine(error)}`;
        // After this update, which others are still to hear.
        queueMicrotask(() =>
          this.show({ type: "notice", level: "warning", text })
        );
      }
    });
    return leave;
  }

  /** Tells the listeners something that is not kept. */
  show(live: Live): void {
    this.#record.show(live);
  }

  /**
   * Asks, once the turns before it are over. `signal` cancels this turn,
   * running or waiting. `id` is the message's, for a client that will look for
   * it; default: random. Throws only when the store cannot write.
   */
  prompt(
    content: Content,
    signal?: AbortSignal,
    id?: string,
  ): Promise<TurnEnd> {
    return this.#run<TurnEnd>(
      async (host, s) => {
        this.#asking = s;
        try {
          return await runTurn(host, { content, id: id ?? newMessageId() }, s);
        } finally {
          this.#asking = undefined;
          this.#nameSoon(host);
        }
      },
      { status: "cancelled", reason: "cancelled" },
      signal,
    );
  }

  /** Adds a message to the running turn, at its place by arrival; asks it when no turn can take it. */
  async steer(content: Content, id: string = newMessageId()): Promise<void> {
    const added = await this.#record.appendFrom((state) => {
      const over = this.#asking?.aborted ?? true;
      if (over || state.open === undefined) return [];
      return [{ type: "message", message: { role: "user", id, content } }];
    });
    if (added.length === 0) await this.prompt(content, undefined, id);
  }

  /** Asks the last failed question again; undefined when there is none. */
  retry(signal?: AbortSignal, id?: string): Promise<TurnEnd> | undefined {
    const last = this.state.errors.findLast((e) => e.kind === "generation");
    const content = last?.prompt ?? last?.question;
    return content ? this.prompt(content, signal, id) : undefined;
  }

  /** Replaces the old turns by a summary. `focus` says what to keep above all. */
  compact(focus?: string, signal?: AbortSignal): Promise<CompactionEnd> {
    return this.#run<CompactionEnd>(
      (host, s) => compactNow(host, { ...(focus && { focus }) }, s),
      "cancelled",
      signal,
    );
  }

  /** Stops the running turn; those that wait go on. */
  cancel(): void {
    this.#turn?.abort(new DOMException("Cancelled", "AbortError"));
  }

  /** Answers an approval; false when it is not open (any more). */
  decide(requestId: string, decision: Decision): boolean {
    return this.#approvals.settle(requestId, decision);
  }

  /** Gives the conversation a title. */
  async rename(title: string): Promise<void> {
    await this.#record.append({ type: "titled", title });
  }

  /** Records what a facade failed at; the line is exactly the one shown. */
  async fail(failure: Omit<Failure, "turns">): Promise<void> {
    const { turns } = this.state;
    await this.#record.append({ type: "failed", turns, ...failure });
  }

  /**
   * Moves the conversation to a fresh id and starts anew under this one: the
   * `/new` of a facade that holds its id. Resolves to the fresh id, undefined
   * when there was no conversation. A `beforeRotate` hook that throws vetoes.
   */
  rotate(): Promise<string | undefined> {
    return this.#run<string | undefined>(async (host) => {
      for (const hook of host.kit.hooks) await hook.beforeRotate?.(this);
      const to = newId(host.kit.now());
      const archived = await this.#record.rotate(to) ? to : undefined;
      this.#allowed.clear();
      this.show({ type: "rotated", ...(archived && { archived }) });
      return archived;
    }, undefined);
  }

  /** Stores the conversation though nothing was asked yet: who holds its id will look for it. */
  async begin(): Promise<void> {
    await this.#record.begin();
  }

  /** Forgets the conversation for good; what is asked next starts a new one. */
  async erase(): Promise<void> {
    this.#cancelAll();
    await this.#run(async () => {
      await this.#record.erase();
      this.#allowed.clear();
      this.show({ type: "rotated" });
    }, undefined);
  }

  /** Starts the session's tool servers, once; a turn waits for it. What fails is shown, not thrown. */
  async connect(): Promise<void> {
    const begun = this.#servers;
    const servers = this.#servers ??= this.#serve();
    const problems = await servers.started;
    if (begun) return;
    for (const text of problems) {
      this.show({ type: "notice", level: "warning", text });
    }
  }

  /** Stops what runs and what waits, saves, and closes the session's tool servers. */
  async close(): Promise<void> {
    this.#cancelAll();
    // Set aside before anything is waited for: who asks meanwhile gets others.
    const servers = this.#servers;
    this.#servers = undefined;
    await this.idle();
    await servers?.[Symbol.asyncDispose]();
  }

  /**
   * Whoever shows it leaves: the running turn is cancelled. Resolves once all
   * is saved; a title that is still being made gets `patience` milliseconds.
   */
  async leave(patience = 0): Promise<void> {
    this.cancel();
    await this.turnsOver();
    if (!this.#naming || patience === 0) return;
    await soon(this.idle(), patience);
  }

  /** Resolves when no turn runs or waits, and all they said is saved; a title may still be made. */
  async turnsOver(): Promise<void> {
    await this.#tail;
    await this.#record.settled();
  }

  /** Resolves when nothing runs, waits or is unsaved, a title included. */
  async idle(): Promise<void> {
    await this.turnsOver();
    await this.#naming;
    await this.#record.settled();
  }

  // Beside the queue: the next question does not wait for a title.
  #nameSoon({ kit, model, record }: TurnHost): void {
    const { createdAt, turns, title } = record.state;
    if (kit.titles !== "model" || turns === 0 || this.#naming) return;
    if (title !== questionTitle(record.state)) return;
    const naming = makeTitle(record.state, model, this.#stop.signal)
      .then((name) =>
        record.appendFrom((state) =>
          name && state.createdAt === createdAt && state.title === title
            ? [{ type: "titled", title: name }]
            : []
        )
      )
      .catch(() => {}) // the question is a title, too
      .then(() => this.#naming = undefined);
    this.#naming = naming;
  }

  #serve(): SessionServers {
    const { servers, roots } = this.settings;
    const request = { servers, cwd: roots[0] ?? this.state.cwd };
    return new SessionServers((signal) => this.#kit().serve(request, signal));
  }

  async #run<T>(
    work: (host: TurnHost, signal: AbortSignal) => Promise<T>,
    cancelled: T,
    signal?: AbortSignal,
  ): Promise<T> {
    this.#waiting++;
    const before = this.#tail;
    const signals = [this.#stop.signal, ...signal ? [signal] : []];
    const result = before.then(async () => {
      this.#waiting--;
      if (signals.some((s) => s.aborted)) return cancelled;
      const turn = new AbortController();
      this.#turn = turn;
      this.show({ type: "running", running: true });
      try {
        const all = AbortSignal.any([turn.signal, ...signals]);
        return await work(this.#host(), all);
      } finally {
        this.#turn = undefined;
        this.show({ type: "running", running: false });
      }
    });
    this.#tail = result.catch(() => {});
    return await result;
  }

  #cancelAll(): void {
    this.#stop.abort(new DOMException("Cancelled", "AbortError"));
    this.#stop = new AbortController();
  }

  #host(): TurnHost {
    const { model, roots } = this.settings;
    const kit = this.#kit();
    return {
      session: this,
      record: this.#record,
      kit,
      model,
      roots,
      approvals: this.#approvals,
      allowed: this.#allowed,
      tools: () => [...kit.tools, ...this.#servers?.tools ?? []],
      mode: () => this.settings.mode,
      approvers: () => this.#approvers,
    };
  }
}
