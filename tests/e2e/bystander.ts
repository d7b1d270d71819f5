/** Who a bystander is. */
export interface BystanderInit {
  readonly port: number;
  readonly token: string;
  readonly session: string;
  /** From a version to come: what it sends has fields and a type that nobody knows. */
  readonly strange?: boolean;
}

/**
 * A client of another version that is attached beside the others. It knows
 * four messages, passes over all else, and comes back after every failure.
 */
export class Bystander implements Disposable {
  /** What should not have come. */
  readonly problems: string[] = [];
  /** Replays that were whole. */
  replays = 0;
  /** Messages heard, in replays and live. */
  heard = 0;
  readonly #init: BystanderInit;
  #socket: WebSocket | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = new Set<string>();
  #sent = 0;

  constructor(init: BystanderInit) {
    this.#init = init;
    this.#connect();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
  }

  #connect(): void {
    const { port, token } = this.#init;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, [
      "mm.v1",
      `bearer.${token}`,
    ]);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#read(data);
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#timer = setTimeout(() => this.#connect(), 50);
    };
  }

  #read(data: unknown): void {
    // deno-lint-ignore no-explicit-any -- it has no types of this version
    const message: any = JSON.parse(String(data));
    switch (message.type) {
      case "hello":
        this.#send({ type: "attach", session: this.#init.session });
        if (this.#init.strange) this.#send({ type: "beam", up: true });
        return;
      case "structured_replay":
        if (message.seq === 0 && message.since === undefined) {
          this.#shown.clear();
        }
        for (const { event } of message.events) this.#show(event);
        if (message.last) this.replays++;
        return;
      case "event":
        return this.#show(message.event);
      case "error":
        if (this.#init.strange && message.code === "unknown_type") return;
        this.problems.push(`${message.code}: ${message.message}`);
    }
  }

  // deno-lint-ignore no-explicit-any -- see above
  #show(event: any): void {
    if (event.type !== "message") return;
    const { id } = event.message;
    if (this.#shown.has(id)) this.problems.push(`${id} came twice`);
    this.#shown.add(id);
    this.heard++;
  }

  #send(message: object): void {
    const id = `bystander-${++this.#sent}`;
    const strange = this.#init.strange && { mood: ["odd", { n: 1 }] };
    this.#socket?.send(JSON.stringify({ id, ...message, ...strange }));
  }
}
