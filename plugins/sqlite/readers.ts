import type { Row, Value } from "./database.ts";
import SCRIPT from "./scan_worker.js" with { type: "text" };

/**
 * Up to four read-only connections, each in a thread of its own: a long search
 * holds up nothing else. They start when they are needed.
 */
export class Readers implements AsyncDisposable {
  readonly #path: string;
  readonly #idle: Worker[] = [];
  readonly #waiting: ((worker: Worker) => void)[] = [];
  readonly #all = new Set<Worker>();
  readonly #closed = new AbortController();

  constructor(path: string) {
    this.#path = path;
  }

  /** All rows of a query; `signal` stops it, running or waiting. */
  async all(
    sql: string,
    values: readonly Value[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    const stop = AbortSignal.any([
      this.#closed.signal,
      ...signal ? [signal] : [],
    ]);
    stop.throwIfAborted();
    const worker = await this.#take(stop);
    let broken = true;
    try {
      const rows = await ask(worker, { path: this.#path, sql, values }, stop);
      broken = false;
      return rows;
    } finally {
      if (broken) this.#end(worker);
      else this.#give(worker);
    }
  }

  // Who reads may not tidy up, so the one connection that writes must close last.
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed.abort(new DOMException("The store was closed", "AbortError"));
    const idle = this.#idle.splice(0);
    const never = new AbortController().signal;
    await Promise.allSettled(idle.map((worker) => ask(worker, "close", never)));
    for (const worker of this.#all) worker.terminate();
    this.#all.clear();
  }

  #take(stop: AbortSignal): Promise<Worker> {
    const idle = this.#idle.pop();
    if (idle) return Promise.resolve(idle);
    if (this.#all.size < MAX_READERS) return Promise.resolve(this.#start());
    return new Promise((resolve, reject) => {
      const take = (worker: Worker) => {
        stop.removeEventListener("abort", leave);
        resolve(worker);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(take), 1);
        reject(stop.reason);
      };
      stop.addEventListener("abort", leave, { once: true });
      this.#waiting.push(take);
    });
  }

  #start(): Worker {
    const url = `data:application/javascript,${encodeURIComponent(SCRIPT)}`;
    const worker = new Worker(url, { type: "module" });
    this.#all.add(worker);
    return worker;
  }

  #give(worker: Worker): void {
    const next = this.#waiting.shift();
    if (next) next(worker);
    else if (this.#all.has(worker)) this.#idle.push(worker);
  }

  // It may still be at work on what nobody wants any more.
  #end(worker: Worker): void {
    worker.terminate();
    this.#all.delete(worker);
    const next = this.#waiting.shift();
    if (next && !this.#closed.signal.aborted) next(this.#start());
  }
}

/** The source's pool of five: these, and the one connection that writes. */
const MAX_READERS = 4;

interface Question {
  readonly path: string;
  readonly sql: string;
  readonly values: readonly Value[];
}

interface Answer {
  readonly rows?: readonly Row[];
  readonly error?: { readonly message: string };
}

function ask(
  worker: Worker,
  question: Question | "close",
  signal: AbortSignal,
): Promise<readonly Row[]> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    const done = () => signal.removeEventListener("abort", stop);
    worker.onmessage = ({ data }: MessageEvent<Answer>) => {
      done();
      if (data.rows) resolve(data.rows);
      else reject(Object.assign(new Error(data.error?.message), data.error));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      done();
      reject(new Error(event.message));
    };
    worker.postMessage(question);
  });
}
