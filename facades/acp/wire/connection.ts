import { type Id, isRequest, type Message, type Request } from "./envelope.ts";
import { ClientGone } from "./output.ts";
import { RequestError } from "./request_error.ts";
import type { Wire } from "./wire.ts";

/** What a client finds at the other end. */
export interface Service {
  /** Answers a request; `signal` is aborted when the client takes it back. Rejects with RequestErrors alone. */
  answer(method: string, params: unknown, signal: AbortSignal): Promise<object>;
  /** Heeds what wants no answer. */
  hear(method: string, params: unknown): void;
}

/** JSON-RPC over a wire: what the client asks, and what it is asked. */
export class Connection {
  readonly #wire: Wire;
  readonly #answering = new Map<Id, AbortController>();
  readonly #asking = new Map<Id, PromiseWithResolvers<unknown>>();
  #asked = 0;
  #over = false;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  /** Has `service` answer the client until that says nothing more. */
  async serve(service: Service): Promise<void> {
    for await (const message of this.#wire.messages()) {
      this.#take(message, service);
    }
    this.#over = true;
    for (const request of this.#answering.values()) request.abort();
    for (const { reject } of this.#asking.values()) reject(new ClientGone());
  }

  /** Tells the client; resolves when that is on its way, and there is room for more. */
  async notify(method: string, params: object): Promise<void> {
    await this.#wire.send({ jsonrpc: "2.0", method, params });
  }

  /** Asks the client. Once `signal` is aborted, its answer is waited for no more. */
  async request(
    method: string,
    params: object,
    signal: AbortSignal,
  ): Promise<unknown> {
    signal.throwIfAborted();
    if (this.#over) throw new ClientGone();
    const id = this.#asked++;
    const answer = Promise.withResolvers<unknown>();
    this.#asking.set(id, answer);
    const withdraw = () => {
      answer.reject(signal.reason);
      this.notify(CANCEL, { requestId: id }).catch(() => {}); // gone anyway
    };
    signal.addEventListener("abort", withdraw);
    try {
      this.#wire.send({ jsonrpc: "2.0", id, method, params })
        .catch(answer.reject);
      return await answer.promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#asking.delete(id);
    }
  }

  #take(message: Message, service: Service): void {
    const { method, params } = message;
    if (isRequest(message)) void this.#answer(message, service);
    else if (method === undefined) this.#settle(message);
    else if (method === CANCEL) this.#withdraw(params);
    else service.hear(method, params);
  }

  async #answer(
    { id, method, params }: Request,
    service: Service,
  ): Promise<void> {
    const request = new AbortController();
    this.#answering.set(id, request);
    const outcome = await service.answer(method, params, request.signal)
      .then((result) => ({ result }), (error) => ({ error: told(error) }));
    // Another request may have come under the same id.
    if (this.#answering.get(id) === request) this.#answering.delete(id);
    await this.#wire.send({ jsonrpc: "2.0", id, ...outcome })
      .catch(() => this.#wire.end());
  }

  #settle({ id = null, result, error }: Message): void {
    const answer = this.#asking.get(id); // none: it was taken back
    if (error === undefined) return answer?.resolve(result);
    const { code, message } = (error ?? {}) as Record<string, unknown>;
    answer?.reject(new RequestError(Number(code), String(message)));
  }

  #withdraw(params: unknown): void {
    const { requestId } = (params ?? {}) as { requestId?: Id };
    if (requestId !== undefined) this.#answering.get(requestId)?.abort();
  }
}

const CANCEL = "$/cancel_request";

function told({ code, message, data }: RequestError) {
  return { code, message, ...(data !== undefined && { data }) };
}
