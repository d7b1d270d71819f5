import type {
  InitializeRequest,
  InitializeResponse,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  NewSessionRequest,
  NewSessionResponse,
  ResumeSessionRequest,
} from "@agentclientprotocol/sdk";
import type { Agent } from "../../core/agent.ts";
import type { FacadeHost } from "../../core/facade.ts";
import { isId } from "../../core/id.ts";
import type { SessionSettings } from "../../core/session.ts";
import { initializeResponse } from "./capabilities.ts";
import { Conversation } from "./conversation.ts";
import { authRequired, invalid, noSession } from "./fault.ts";
import { editorFiles } from "./files.ts";
import { existingFolder, folderOf, rootsOf } from "./folder.ts";
import { sessionList } from "./list.ts";
import type { Peer } from "./peer.ts";
import { Projects } from "./projects.ts";
import { toolServers } from "./servers.ts";

/** All that one client has open. */
export class Desk {
  readonly #peer: Peer;
  readonly #projects: Projects;
  readonly #version: string;
  readonly #open = new Map<string, Conversation>();
  readonly #opening = new Map<string, Promise<unknown>>();

  constructor(host: FacadeHost, peer: Peer, version: string) {
    this.#peer = peer;
    this.#version = version;
    this.#projects = new Projects(host);
  }

  initialize(params: InitializeRequest): InitializeResponse {
    this.#peer.capabilities = params.clientCapabilities ?? {};
    const { model } = this.#projects.first;
    return initializeResponse(params, model, this.#version);
  }

  /** Looks again whether there is a key; throws when there is none. */
  authenticate(methodId: string): Record<string, never> {
    if (methodId !== "key") {
      throw invalid(`There is no way to authenticate named "${methodId}"`);
    }
    const { problem } = this.#projects.first.model;
    if (problem) throw authRequired(problem);
    return {};
  }

  /** The open conversation `id`, if it is open. */
  find(id: string): Conversation | undefined {
    return this.#open.get(id);
  }

  /** The open conversation `id`; at once, so that a cancel finds it. */
  conversation(id: string): Conversation {
    const conversation = this.find(id);
    if (!conversation) throw noSession(id);
    return conversation;
  }

  async create(params: NewSessionRequest): Promise<NewSessionResponse> {
    const cwd = await existingFolder("cwd", params.cwd);
    const agent = await this.#projects.of(cwd);
    const { problem } = agent.model;
    if (problem) throw authRequired(problem);
    const settings = await this.#settings(cwd, params);
    const session = agent.create(settings);
    const conversation = this.#put(session.id, agent, session);
    const opened = await conversation.opened();
    conversation.greetSoon();
    return { sessionId: session.id, ...opened };
  }

  /** Opens a stored conversation and tells all of it before it answers. */
  async load(params: LoadSessionRequest): Promise<LoadSessionResponse> {
    const conversation = await this.#reopen(params);
    const opened = await conversation.opened();
    await conversation.replay();
    return greeted(conversation, opened);
  }

  /** Opens a stored conversation that the client still shows. */
  async resume(params: ResumeSessionRequest): Promise<LoadSessionResponse> {
    const conversation = await this.#reopen(params);
    return greeted(conversation, await conversation.opened());
  }

  async list(params: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { cwd, cursor } = params;
    if (typeof cwd !== "string") {
      return await sessionList(this.#projects.first, {}, cursor);
    }
    const folder = await folderOf("cwd", cwd);
    const agent = await this.#projects.of(folder);
    return await sessionList(agent, { cwd: folder }, cursor);
  }

  /** Stops what runs in the conversation and lets go of it; it can be loaded again. */
  async close(id: string): Promise<void> {
    await this.#opening.get(id);
    await this.#letGo(this.conversation(id));
  }

  /** Forgets a conversation for good; no error when there is none. */
  async remove(id: string): Promise<void> {
    if (!isId(id)) return;
    await this.#opening.get(id);
    const conversation = this.#open.get(id);
    this.#open.delete(id);
    await conversation?.close();
    for (const agent of await this.#projects.all()) await agent.remove(id);
  }

  /** Cancels all that runs: every prompt gets its answer soon. */
  stop(): void {
    for (const conversation of this.#open.values()) conversation.cancel();
  }

  /** Lets go of everything, saved. */
  async end(): Promise<void> {
    const open = [...this.#open.values()];
    await Promise.allSettled(open.map((c) => this.#letGo(c)));
    await this.#projects.close();
  }

  // What closes a conversation waits for those that came before to open it.
  async #reopen(
    params: LoadSessionRequest | ResumeSessionRequest,
  ): Promise<Conversation> {
    const { sessionId: id } = params;
    const opening = this.#stored(params);
    const all = Promise.allSettled([this.#opening.get(id), opening]);
    this.#opening.set(id, all);
    try {
      return await opening;
    } finally {
      if (this.#opening.get(id) === all) this.#opening.delete(id);
    }
  }

  async #letGo(conversation: Conversation): Promise<void> {
    this.#open.delete(conversation.id);
    await conversation.close();
    await conversation.agent.release(conversation.session);
  }

  async #stored(
    params: LoadSessionRequest | ResumeSessionRequest,
  ): Promise<Conversation> {
    const { sessionId: id } = params;
    if (!isId(id)) throw noSession(id);
    const cwd = await folderOf("cwd", params.cwd);
    const agent = await this.#projects.of(cwd);
    const settings = await this.#settings(cwd, params);
    const open = this.#open.get(id);
    if (open && open.session.id !== id) await this.#letGo(open); // it moved away
    const session = await agent.session(id, settings);
    if (!session) throw noSession(id);
    const home = session.state.cwd || session.settings.roots[0] || agent.cwd;
    if (await folderOf("cwd", home) !== cwd) {
      if (!this.#open.has(id)) await agent.release(session);
      throw invalid(`Session ${id} belongs to another folder: "${home}"`);
    }
    // A live one gets what the client says now; its tool servers go on.
    session.settings.roots = settings.roots;
    if (settings.files) session.settings.files = settings.files;
    return this.#open.get(id) ?? this.#put(id, agent, session);
  }

  #put(
    id: string,
    agent: Agent,
    session: ReturnType<Agent["create"]>,
  ): Conversation {
    const files = editorFiles(this.#peer, () => id);
    if (files) session.settings.files = files;
    const models = this.#projects.models(agent);
    const conversation = new Conversation({
      id,
      session,
      agent,
      peer: this.#peer,
      models,
    });
    this.#open.set(id, conversation);
    return conversation;
  }

  async #settings(
    cwd: string,
    params: NewSessionRequest | LoadSessionRequest | ResumeSessionRequest,
  ): Promise<Pick<SessionSettings, "roots" | "servers" | "files">> {
    return {
      roots: await rootsOf(cwd, params.additionalDirectories),
      servers: toolServers(params.mcpServers),
    };
  }
}

// It may have been closed while it was opened.
function greeted(
  conversation: Conversation,
  opened: LoadSessionResponse,
): LoadSessionResponse {
  if (conversation.closed) throw noSession(conversation.id);
  conversation.greetSoon();
  return opened;
}
