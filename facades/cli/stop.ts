import { EXIT } from "./exit.ts";

/** Turns the signals that end a program into an orderly end: stop, save, leave. */
export class Stop implements Disposable {
  readonly #controller = new AbortController();
  readonly #listeners = SIGNALS.map(([name, code]) =>
    [name, () => this.#stop(name, code)] as const
  );
  /** The exit code of the signal that came; undefined while there was none. */
  code: number | undefined;

  constructor() {
    for (const [name, stop] of this.#listeners) {
      Deno.addSignalListener(name, stop);
    }
  }

  /** Aborted by the first signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * What `work` resolves to; undefined when a signal came and it did not end
   * in time. Then closing gets as long again, and the program ends.
   */
  async orEnd<T>(work: Promise<T>): Promise<T | undefined> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.signal.addEventListener("abort", () => {
      later(() => {
        resolve(undefined);
        later(() => Deno.exit(this.code));
      });
    });
    return await Promise.race([work, promise]);
  }

  [Symbol.dispose](): void {
    for (const [name, stop] of this.#listeners) {
      Deno.removeSignalListener(name, stop);
    }
  }

  #stop(name: Deno.Signal, code: number): void {
    // Who asks twice does not want to wait.
    if (this.code !== undefined && name === "SIGINT") Deno.exit(code);
    this.code ??= code;
    this.#controller.abort(
      new DOMException(`Stopped by ${name}`, "AbortError"),
    );
  }
}

const SIGNALS: readonly (readonly [Deno.Signal, number])[] =
  Deno.build.os === "windows" ? [["SIGINT", EXIT.cancelled]] : [
    ["SIGINT", EXIT.cancelled],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ];

function later(work: () => void): void {
  Deno.unrefTimer(setTimeout(work, PATIENCE_MS));
}

/** How long what runs may take to stop. */
const PATIENCE_MS = 5000;
