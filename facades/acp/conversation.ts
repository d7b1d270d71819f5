import type {
  ContentBlock,
  LoadSessionResponse,
  PromptResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Agent } from "../../core/agent.ts";
import type { ApprovalMode } from "../../core/approval.ts";
import type { Update } from "../../core/event.ts";
import type { SessionState } from "../../core/fold.ts";
import { randomHex } from "../../core/id.ts";
import type { Content, Message } from "../../core/message.ts";
import type { Session } from "../../core/session.ts";
import { answerPrompt } from "./answer_prompt.ts";
import { commandList } from "./commands.ts";
import { configOptions } from "./config_options.ts";
import { promptContent } from "./content.ts";
import { authRequired, invalid } from "./fault.ts";
import type { Models } from "./models.ts";
import { approvalMode, modeState } from "./modes.ts";
import { Outbox } from "./outbox.ts";
import type { Peer } from "./peer.ts";
import { Questions } from "./questions.ts";
import { textChunk } from "./show/chunk.ts";
import { LiveView } from "./show/live.ts";
import { noticeUpdate } from "./show/notice.ts";
import { replayed } from "./show/replayed.ts";

/** What a conversation works with. */
export interface ConversationInit {
  /** The id the client holds. The session's own may move away from it. */
  readonly id: string;
  readonly session: Session;
  readonly agent: Agent;
  readonly peer: Peer;
  readonly models: Models;
}

/** A session that is open in the client. */
export class Conversation {
  readonly id: string;
  readonly session: Session;
  readonly agent: Agent;
  readonly #peer: Peer;
  readonly #models: Models;
  readonly #outbox: Outbox;
  readonly #view: LiveView;
  readonly #stopListening: () => void;
  readonly #firstMode: ApprovalMode;
  readonly #prompts = new Set<AbortController>();
  readonly #own: Content[] = []; // asked, not heard of yet
  readonly #questions: Questions;
  #greeting: ReturnType<typeof setTimeout> | undefined;
  #greeted = false;
  #replaying: Promise<void> = Promise.resolve();
  #closed = false;
  #options = "";

  constructor({ id, session, agent, peer, models }: ConversationInit) {
    this.id = id;
    this.session = session;
    this.agent = agent;
    this.#peer = peer;
    this.#models = models;
    this.#firstMode = session.settings.mode;
    this.#outbox = new Outbox((update) => peer.update(id, update));
    this.#questions = new Questions({
      id,
      session,
      peer,
      // The call is announced before it is asked about.
      ready: () => this.#outbox.drained(),
    });
    this.#view = new LiveView({
      shows: peer.shows,
      state: () => session.state,
      window: () => session.settings.model.contextWindow,
      isOwn: (message) => this.#isOwn(message),
    }, session.running);
    this.#stopListening = session.subscribe((update) => this.#hear(update), {
      approves: true,
    });
    for (const request of session.approvals) this.#questions.ask(request);
  }

  /** What the client is told when it opens the session. */
  async opened(): Promise<LoadSessionResponse> {
    const { model } = this.session.settings;
    const late = await this.#models.refresh(model, MODELS_WAIT_MS);
    if (late) void this.#models.settled().then(() => this.#syncOptions());
    this.#options = JSON.stringify(this.configOptions);
    return { modes: this.modes, configOptions: this.configOptions };
  }

  get modes(): SessionModeState {
    return modeState(this.session.settings.mode, this.#firstMode);
  }

  get configOptions(): SessionConfigOption[] {
    const { model } = this.session.settings;
    return configOptions(this.modes, model, this.#models.names);
  }

  /** True once it is closed: nothing more is told. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Soon after the answer that opened the session, tells what belongs to it. */
  greetSoon(): void {
    clearTimeout(this.#greeting);
    this.#greeted = false;
    // Clients drop what comes before, or right behind, that answer.
    this.#greeting = setTimeout(() => this.#greet(), GREET_MS);
  }

  /** Tells the whole conversation again, once another telling is over. It runs and writes nothing. */
  async replay(): Promise<void> {
    this.#replaying = this.#replaying.then(() => this.#replay());
    await this.#replaying;
  }

  async #replay(): Promise<void> {
    if (this.#closed) return;
    const { state, approvals } = this.session;
    const unfinished = this.#view.unfinished();
    await this.#outbox.restart(this.#whole(state, unfinished));
    if (this.#closed) return;
    for (const request of approvals) this.#questions.ask(request);
  }

  *#whole(
    state: SessionState,
    unfinished: readonly SessionUpdate[],
  ): Generator<SessionUpdate> {
    for (const update of replayed(state, this.#peer.shows)) {
      if (this.#closed) return;
      yield update;
    }
    yield* unfinished;
  }

  /** Asks, or runs a command. A prompt that is still answered is cancelled first. */
  async prompt(
    blocks: readonly ContentBlock[],
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const { model } = this.session.settings;
    const content = promptContent(blocks, model);
    if (model.problem) throw authRequired(model.problem);
    for (const earlier of this.#prompts) earlier.abort();
    const own = new AbortController();
    this.#prompts.add(own);
    try {
      this.#greet();
      return await answerPrompt({
        conversation: this,
        content,
        signal: AbortSignal.any([own.signal, signal]),
      });
    } finally {
      this.#prompts.delete(own);
      this.#syncOptions();
      await this.#outbox.drained();
    }
  }

  /** Expects `content` to be recorded as the client's own message. */
  expect(content: Content): void {
    this.#own.push(content);
  }

  /** Forgets what was expected and did not come. */
  unexpect(content: Content): void {
    const at = this.#own.indexOf(content);
    if (at >= 0) this.#own.splice(at, 1);
  }

  /** Stops what runs and what waits. */
  cancel(): void {
    for (const prompt of this.#prompts) prompt.abort();
    this.session.cancel();
  }

  /** Shows text that is no part of the record: a command's answer. */
  say(markdown: string): void {
    const id = `say-${randomHex(12)}`;
    this.#outbox.add(textChunk("agent_message_chunk", id, markdown));
  }

  /** Shows something to know that ends nothing. */
  notice(severity: "info" | "warning" | "error", title: string): void {
    this.#outbox.add(noticeUpdate(severity, title, this.#peer.shows));
  }

  /** Changes who decides on tool calls; a running turn heeds it. */
  setMode(modeId: string): void {
    const mode = approvalMode(modeId);
    const known = this.modes.availableModes.some(({ id }) => id === modeId);
    if (!mode || !known) throw invalid(`There is no mode "${modeId}"`);
    this.session.settings.mode = mode;
    this.#outbox.add({
      sessionUpdate: "current_mode_update",
      currentModeId: modeId,
    });
    this.#syncOptions();
  }

  /** Changes an option by its id. */
  async setOption(id: string, value: unknown): Promise<void> {
    const option = this.configOptions.find((o) => o.id === id);
    if (!option) throw invalid(`There is no option "${id}"`);
    const values = option.type === "select"
      ? option.options.flatMap((o) => "value" in o ? [o.value] : [])
      : [];
    if (typeof value !== "string" || !values.includes(value)) {
      throw invalid(`Option "${id}" has no such value`);
    }
    if (id === "mode") return this.setMode(value);
    const { settings } = this.session;
    if (id === "thought_level" && settings.model.thought) {
      settings.model = settings.model.thought.at(value);
    }
    if (id === "model" && value !== settings.model.name) {
      await this.agent.useModel(value, this.session);
    }
    this.#syncOptions();
  }

  /** Resolves when all that happened so far is told. */
  async told(): Promise<void> {
    await this.#outbox.drained();
  }

  /** Stops what runs, waits until it is saved and told, and listens no more. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#greeting);
    this.cancel();
    await this.session.turnsOver();
    this.#stopListening();
    this.#questions.withdrawAll();
    await this.#outbox.drained();
  }

  #hear(update: Update): void {
    switch (update.type) {
      case "approval_asked":
        this.#questions.ask(update.request);
        break;
      case "approval_settled":
        this.#questions.withdraw(update.requestId);
        break;
      default:
        for (const shown of this.#view.updates(update)) this.#outbox.add(shown);
    }
  }

  #isOwn(message: Message): boolean {
    if (message.role !== "user") return false;
    const at = this.#own.indexOf(message.content);
    if (at >= 0) this.#own.splice(at, 1);
    return at >= 0;
  }

  #greet(): void {
    if (this.#greeted) return;
    clearTimeout(this.#greeting);
    this.#greeted = true;
    const { state, settings } = this.session;
    this.#outbox.add({
      sessionUpdate: "available_commands_update",
      availableCommands: commandList(this.agent),
    });
    if (state.seq === 0) return;
    const { title, updatedAt, contextTokens: used } = state;
    this.#outbox.add({
      sessionUpdate: "session_info_update",
      title: title || null,
      updatedAt,
    });
    const { contextWindow: size } = settings.model;
    if (size && used > 0) {
      this.#outbox.add({ sessionUpdate: "usage_update", used, size });
    }
  }

  #syncOptions(): void {
    const { configOptions } = this;
    const text = JSON.stringify(configOptions);
    if (text === this.#options) return;
    this.#options = text;
    this.#outbox.add({ sessionUpdate: "config_option_update", configOptions });
  }
}

const GREET_MS = 100;

/** How long opening a session may wait for the list of models. */
const MODELS_WAIT_MS = 300;
