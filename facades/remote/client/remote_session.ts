import type { ApprovalRequest, Decision } from "../../../core/approval.ts";
import type { Failure, Live, Update } from "../../../core/event.ts";
import { UserError } from "../../../core/error.ts";
import type { SessionState } from "../../../core/fold.ts";
import type { SessionHandle } from "../../../core/handle.ts";
import { newMessageId } from "../../../core/id.ts";
import type { Content } from "../../../core/message.ts";
import type { Listener } from "../../../core/record.ts";
import type { TurnEnd } from "../../../core/turn.ts";
import type { ClientMessage } from "../wire.ts";
import { catchUp, passing } from "./catch_up.ts";
import type { RemoteClient } from "./client.ts";
import type { Change, Mirror } from "./mirror.ts";
import { RefusalError } from "./refusal_error.ts";
import { remoteModel } from "./remote_model.ts";
import { TurnWatch } from "./turn_watch.ts";

/** A session on a server, as screens and commands meet it. */
export class RemoteSession implements SessionHandle {
  readonly #client: RemoteClient;
  readonly #listeners = new Set<Listener>();
  readonly #turns = new Set<TurnWatch>();
  #begin: (() => void) | undefined;
  #view: Mirror["view"];

  /** As it was last seen; `heard` brings what happens. `begin` is called by the first listener. */
  constructor(client: RemoteClient, view: Mirror["view"], begin?: () => void) {
    this.#client = client;
    this.#view = view;
    this.#begin = begin;
  }

  get id(): string {
    return this.#view.session;
  }

  get state(): SessionState {
    return this.#view.state;
  }

  get running(): boolean {
    return this.#view.running;
  }

  get waiting(): number {
    return this.#view.info?.waiting ?? 0;
  }

  get presence(): number {
    return this.#view.presence;
  }

  get approvals(): readonly ApprovalRequest[] {
    return this.#view.approvals.filter((q) => !q.decision)
      .map((q) => q.request);
  }

  passing(): Iterable<Live> {
    return passing(this.#view);
  }

  get settings(): SessionHandle["settings"] {
    const { model = "", mode = "ask", contextWindow } = this.#view.info ?? {};
    return { model: remoteModel(model, contextWindow), mode };
  }

  /** Takes what the client knows of it now. */
  seen(view: Mirror["view"]): void {
    const before = this.#view;
    const [from, to] = [before.session, view.session];
    this.#view = view;
    if (from !== to) this.tell({ type: "moved", from, to });
    if (standing(before) !== standing(view)) this.tell(usage(view));
    // With its session, a turn ends of which no more is heard.
    if (before.running && view.gone) {
      this.tell({ type: "running", running: false });
    }
  }

  /** Tells the listeners what happened; of a replay, what is new to them. */
  heard(change: Change): void {
    this.seen(change.after);
    for (const update of change.live ? change.updates : catchUp(change)) {
      this.tell(update);
    }
    if (change.live || this.running) return;
    for (const turn of this.#turns) turn.over();
  }

  /** There is no server any more: nothing that runs there is waited for. */
  gone(why: string): void {
    for (const turn of this.#turns) turn.fail(new UserError(why));
  }

  /** Tells the listeners alone. */
  tell(update: Update): void {
    for (const turn of this.#turns) turn.hear(update);
    for (const listener of this.#listeners) listener(update);
  }

  // The server asks whoever is there: each of its clients may answer.
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    const begin = this.#begin;
    this.#begin = undefined;
    begin?.();
    return () => this.#listeners.delete(listener);
  }

  async prompt(
    content: Content,
    signal?: AbortSignal,
    id = newMessageId(),
  ): Promise<TurnEnd> {
    const turn = new TurnWatch(id);
    const cancel = () => turn.cancel();
    this.#turns.add(turn);
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      // An abort alone ends nothing on the server: `cancel` does.
      await Promise.race([this.#ask(content, turn), turn.end]);
      return await turn.end;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#turns.delete(turn);
    }
  }

  async steer(content: Content, id = newMessageId()): Promise<void> {
    await this.#client.ask({ session: this.id, id, type: "steer", content });
  }

  cancel(): void {
    this.#post<"cancel">({ type: "cancel", session: this.id });
  }

  decide(request: string, { outcome, reason }: Decision): boolean {
    if (outcome === "cancelled") return false;
    const { id: session } = this;
    this.#post<"approve">({
      type: "approve",
      session,
      request,
      outcome,
      ...(reason && { reason }),
    });
    return this.approvals.some((a) => a.id === request);
  }

  async rename(title: string): Promise<void> {
    await this.command(`/rename ${title}`);
  }

  /** Runs a command on the server; what it said. Throws a RefusalError with its red line. */
  async command(text: string): Promise<readonly string[]> {
    const { id: session } = this;
    const ack = await this.#client.send<"command">({
      type: "command",
      session,
      text,
    });
    return ack.said ?? [];
  }

  /** Shows the failure here: what goes wrong on this side is no part of the server's record. */
  fail(failure: Omit<Failure, "turns">): Promise<void> {
    const { seq, turns } = this.state;
    const at = new Date().toISOString();
    this.tell({ type: "failed", seq, at, turns, ...failure });
    return Promise.resolve();
  }

  compact(): Promise<never> {
    return Promise.reject(new UserError(elsewhere("compact")));
  }

  retry(): Promise<never> {
    return Promise.reject(new UserError(elsewhere("retry")));
  }

  /** What runs, runs on: others may watch it. */
  leave(): Promise<void> {
    return Promise.resolve();
  }

  idle(): Promise<void> {
    return this.turnsOver();
  }

  async turnsOver(): Promise<void> {
    while (this.running || this.waiting > 0) {
      await new Promise<void>((resolve) => {
        const stop = this.#client.subscribe(() => (stop(), resolve()));
      });
    }
  }

  async #ask(content: Content, turn: TurnWatch): Promise<void> {
    const { seq } = await this.#client.ask({
      session: this.id,
      id: turn.id,
      type: "prompt",
      content,
    });
    if (seq === undefined) return turn.cancel();
    turn.begun();
    if (!this.running && !this.#view.replaying) turn.over();
  }

  // Whether it was done is seen in the record; a session that is gone needs none of it.
  #post<T extends "cancel" | "approve">(
    message: Omit<Extract<ClientMessage, { type: T }>, "id">,
  ): void {
    this.#client.send<T>(message).catch((error) => {
      if (!(error instanceof RefusalError)) throw error;
      if (error.code === "closed") return;
      this.tell({ type: "notice", level: "warning", text: error.message });
    });
  }
}

/** What a status line shows that no event tells. */
function standing({ presence, info }: Mirror["view"]): string {
  return [presence, info?.model, info?.mode, info?.contextWindow].join();
}

function usage({ state, info }: Mirror["view"]): Live {
  const { contextTokens: used } = state;
  const size = info?.contextWindow;
  return { type: "usage", used, ...(size !== undefined && { size }) };
}

function elsewhere(name: string): string {
  return `Cannot ${name} from here: /${name} does it on the server`;
}
