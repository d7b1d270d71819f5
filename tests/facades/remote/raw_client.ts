import assert from "node:assert/strict";
import type { Update } from "../../../core/event.ts";
import type {
  Ack,
  Part,
  Refusal,
  ServerMessage,
  StructuredReplay,
} from "../../../facades/remote/wire.ts";

/** A message of the server by its type. */
export type Told<T extends ServerMessage["type"]> = Extract<
  ServerMessage,
  { type: T }
>;

/** A client that is no more than its messages. */
export class RawClient {
  readonly socket: WebSocket;
  /** All that came, parts put together, in order. */
  readonly told: ServerMessage[] = [];
  /** The frames as they came. */
  readonly frames: string[] = [];
  readonly closed: Promise<CloseEvent>;
  #wake = Promise.withResolvers<void>();
  #part = "";
  #ids = 0;
  #seen = 0;
  isClosed = false;

  constructor(url: string, token: string) {
    this.socket = new WebSocket(url, ["mm.v1", `bearer.${token}`]);
    this.socket.onmessage = ({ data }) => this.#hear(data);
    this.socket.onerror = (event) => event.preventDefault();
    this.closed = new Promise((resolve) => {
      this.socket.onclose = (event) => {
        this.isClosed = true;
        this.#wake.resolve();
        resolve(event);
      };
    });
  }

  /** Sends a message as it stands. */
  send(message: unknown): void {
    this.socket.send(
      typeof message === "string" ? message : JSON.stringify(message),
    );
  }

  /** Sends a message under a fresh id; resolves to its answer. */
  async ask(
    message: { type: string; [field: string]: unknown },
    id = `c-${crypto.randomUUID().slice(0, 8)}-${++this.#ids}`,
  ): Promise<Ack | Refusal> {
    this.send({ id, ...message });
    return await this.answer(id);
  }

  /** The answer to the message `id`. */
  async answer(id: string): Promise<Ack | Refusal> {
    const from = this.told.length;
    return await this.#find(
      (m): m is Ack | Refusal =>
        (m.type === "ack" || m.type === "error") && m.id === id,
      from,
    );
  }

  /** The same, which must be an ack. */
  async do(
    message: { type: string; [field: string]: unknown },
    id?: string,
  ): Promise<Ack> {
    const answer = await this.ask(message, id);
    assert.equal(answer.type, "ack", JSON.stringify(answer));
    return answer as Ack;
  }

  /** Attaches; resolves to the whole replay. */
  async attach(
    session: string,
    known: { since?: number; epoch?: string } = {},
  ): Promise<StructuredReplay[]> {
    const from = this.told.length;
    await this.do({ type: "attach", session, ...known });
    await this.#find(
      (m): m is StructuredReplay => m.type === "structured_replay" && m.last,
      from,
    );
    return this.replays(from);
  }

  /** A new conversation; its id, once its replay is there. */
  async begin(session?: string): Promise<string> {
    const from = this.told.length;
    const ack = await this.do({ type: "new", ...session && { session } });
    await this.#find(
      (m): m is StructuredReplay => m.type === "structured_replay" && m.last,
      from,
    );
    return ack.session!;
  }

  /** The slices since `from`. */
  replays(from = 0): StructuredReplay[] {
    return this.told.slice(from).filter((m) => m.type === "structured_replay");
  }

  /** The live events since `from`. */
  events(from = 0): Update[] {
    return this.told.slice(from).flatMap((m) =>
      m.type === "event" ? [m.event] : []
    );
  }

  /** The next message of a type that was not asked for yet. */
  async next<T extends ServerMessage["type"]>(type: T): Promise<Told<T>> {
    const found = await this.#find(
      (m): m is Told<T> => m.type === type,
      this.#seen,
    );
    this.#seen = this.told.indexOf(found) + 1;
    return found;
  }

  /** The first live event since `from` that fits. */
  async event(
    fits: (update: Update) => boolean,
    from = 0,
  ): Promise<Update> {
    const found = await this.#find(
      (m): m is Told<"event"> => m.type === "event" && fits(m.event),
      from,
    );
    return found.event;
  }

  /** Resolves when a turn ended. */
  async idle(from = 0): Promise<void> {
    await this.event((e) => e.type === "running" && !e.running, from);
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }

  async #find<T extends ServerMessage>(
    fits: (message: ServerMessage) => message is T,
    from: number,
  ): Promise<T> {
    for (;;) {
      const found = this.told.slice(from).find(fits);
      if (found) return found;
      assert(!this.isClosed, "The connection ended before it came");
      await this.#wake.promise;
    }
  }

  #hear(data: string): void {
    this.frames.push(data);
    const message = JSON.parse(data) as ServerMessage | Part;
    if (message.type === "part") {
      this.#part += message.text;
      if (!message.last) return;
      this.told.push(JSON.parse(this.#part));
      this.#part = "";
    } else this.told.push(message);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}
