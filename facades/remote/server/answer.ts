import type { Agent } from "../../../core/agent.ts";
import { runCommand } from "./command.ts";
import type { Desk } from "./desk.ts";
import { Lists } from "./list.ts";
import { Once } from "./once.ts";
import type { Served } from "./served.ts";
import type { Ack, ClientMessage, ServerMessage } from "../wire.ts";

/** Whose message it is. */
export interface Sender {
  /** Shows a session from now on, and no other; `told` is sent before its replay. */
  show(
    served: Served,
    told: Ack,
    known?: { readonly since?: number; readonly epoch?: string },
  ): void;
  /** What it shows, when it went on from `session`, which may not be heard yet. */
  shown(session: string): Served | undefined;
  /** Sends an answer, or what must be known before. */
  tell(message: ServerMessage): void;
}

/** Does what clients ask for, each thing once. */
export class Answers {
  readonly #agent: Agent;
  readonly #desk: Desk;
  readonly #lists: Lists;
  readonly #once = new Once<Ack>(2000);

  constructor(agent: Agent, desk: Desk) {
    this.#agent = agent;
    this.#desk = desk;
    this.#lists = new Lists(agent);
  }

  /** Does it and tells its sender so. Throws what is in the way. */
  async answer(message: ClientMessage, sender: Sender): Promise<void> {
    switch (message.type) {
      case "attach": {
        const { id, session, since, epoch } = message;
        const gone = this.#desk.goneOn(session, epoch);
        const served = gone ?? await this.#desk.session(session);
        const { id: to } = served.session;
        if (gone) sender.tell({ type: "moved", session, to });
        return sender.show(served, { type: "ack", id, session: to }, {
          ...(since !== undefined && { since }),
          ...(epoch !== undefined && { epoch }),
        });
      }
      case "new": {
        const ack = await this.#do(message, sender);
        return sender.show(await this.#desk.begin(ack.session), ack);
      }
      case "list": {
        const page = await this.#lists.list(message);
        return sender.tell({ type: "ack", id: message.id, ...page });
      }
      case "ping":
        return sender.tell({ type: "ack", id: message.id });
      default:
        return sender.tell(await this.#do(message, sender));
    }
  }

  async #do(message: Doing, sender: Sender): Promise<Ack> {
    const { id } = message;
    if (message.type === "new") {
      const { session: wanted } = message;
      return await this.#once.do(`new ${wanted ?? ""} ${id}`, async () => {
        const { session } = await this.#desk.begin(wanted);
        return { type: "ack", id, session: session.id };
      });
    }
    if (message.type === "delete") {
      const { session } = message;
      return await this.#once.do(`delete ${session} ${id}`, async () => {
        await this.#desk.remove(session);
        return { type: "ack", id, session };
      });
    }
    const served = sender.shown(message.session) ??
      await this.#desk.session(message.session);
    // A question is the same question, however it gets to the model, and under
    // whatever id its session goes on.
    const what = message.type === "steer" ? "prompt" : message.type;
    return await this.#once.do(`${what} ${served.began} ${id}`, async () => {
      const told = await this.#doneTo(served, message);
      return { type: "ack", id, session: served.session.id, ...told };
    });
  }

  async #doneTo(
    served: Served,
    message: Exclude<Doing, { type: "new" | "delete" }>,
  ): Promise<Partial<Ack>> {
    switch (message.type) {
      case "prompt":
      case "steer": {
        const { type, content, id } = message;
        const seq = await served.say(type, content, id);
        return seq === undefined ? {} : { seq };
      }
      case "cancel":
        served.session.cancel();
        return {};
      case "approve": {
        const { request, outcome, reason } = message;
        const decision = { outcome, ...(reason && { reason }) };
        return { settled: served.approve(request, decision) };
      }
      case "command": {
        // It asked a question, before the server was started anew.
        if (served.position(message.id) !== undefined) return {};
        const { session } = served;
        try {
          return { said: await runCommand(this.#agent, session, message) };
        } finally {
          served.tellState();
        }
      }
    }
  }
}

/** What changes something. */
type Doing = Exclude<ClientMessage, { type: "attach" | "list" | "ping" }>;
