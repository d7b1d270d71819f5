import type { Mirror } from "./mirror.ts";
import type { RefusalError } from "./refusal_error.ts";

/** An attach that is under way, over as many connections as it takes. */
export class Attaching {
  /** Resolves once the replay is whole; rejects with a RefusalError. */
  readonly whole: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: RefusalError) => void;
  /** What is shown again when the server has no such session. */
  readonly before: Mirror | undefined;
  /** Of the message that was sent last for it. */
  id = "";

  constructor(before: Mirror | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {}); // of a reconnection nobody asks
    this.whole = promise;
    this.resolve = resolve;
    this.reject = reject;
    this.before = before;
  }
}
