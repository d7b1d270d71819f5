import { setImmediate } from "node:timers/promises";

/** Writes bytes to where the client reads them. They are only good until it resolves. */
export type Write = (bytes: Uint8Array) => Promise<unknown>;

/** Characters that may wait for a slow reader before those who write have to wait. */
const ROOM = 512 * 1024;

/** Bytes of one write. */
const CHUNK = 256 * 1024;

/** Nobody reads any more: no fault of mm. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";

  constructor(cause: unknown) {
    super("The client is gone", { cause });
  }
}

/**
 * Lines on their way to the client: gathered into large writes, bounded by
 * making writers wait. They wait as text and are encoded into one buffer, so
 * that a long conversation leaves no garbage behind.
 */
export class Output {
  readonly #write: Write;
  readonly #onGone: () => void;
  readonly #encoder = new TextEncoder();
  readonly #chunk = new Uint8Array(CHUNK);
  #waiting: string[] = [];
  #size = 0; // being written, too
  #writing: Promise<void> | undefined;
  #error: { readonly cause: unknown } | undefined;
  #patience: number | undefined;
  #late: ReturnType<typeof setTimeout> | undefined;
  #wake = Promise.withResolvers<void>();

  /** `onGone` is called once when nothing can be written any more. */
  constructor(write: Write, onGone: () => void) {
    this.#write = write;
    this.#onGone = onGone;
  }

  /** Adds a line; resolves when there is room for another. Throws once the reader is gone. */
  async send(line: string): Promise<void> {
    this.#check();
    this.#waiting.push(line, "\n");
    this.#size += line.length + 1;
    this.#writing ??= this.#run();
    await this.room();
    this.#check();
  }

  /** Resolves when little enough waits, or nothing can be written any more. */
  async room(): Promise<void> {
    while (this.#size > ROOM && !this.#error) await this.#wake.promise;
  }

  /** Resolves when all is written, or nothing can be written any more. */
  async flush(): Promise<void> {
    while (this.#writing && !this.#error) {
      await Promise.race([this.#writing, this.#wake.promise]);
    }
  }

  /** From now on a reader that takes nothing for `ms` counts as gone. */
  hasten(ms: number): void {
    this.#patience ??= ms;
    if (this.#writing) this.#watch();
  }

  #check(): void {
    if (this.#error) throw new ClientGone(this.#error.cause);
  }

  async #run(): Promise<void> {
    await Promise.resolve(); // what is sent in one go is written in one go
    try {
      while (this.#waiting.length > 0) {
        const { bytes, characters } = this.#encode();
        this.#watch();
        await this.#write(bytes);
        this.#size -= characters;
        this.#signal();
        await setImmediate(); // who waited for room makes use of it
      }
    } catch (cause) {
      this.#fail(cause);
    }
    clearTimeout(this.#late);
    this.#writing = undefined;
  }

  #watch(): void {
    clearTimeout(this.#late);
    if (this.#patience === undefined || this.#error) return;
    this.#late = setTimeout(
      () => this.#fail(new Error("The client reads nothing")),
      this.#patience,
    );
  }

  #fail(cause: unknown): void {
    if (this.#error) return;
    this.#error = { cause };
    this.#waiting = [];
    this.#size = 0;
    this.#signal();
    this.#onGone();
  }

  #signal(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  // As much of what waits as fits into the chunk.
  #encode(): { bytes: Uint8Array; characters: number } {
    let size = 0;
    let characters = 0;
    let done = 0;
    for (const text of this.#waiting) {
      const room = this.#chunk.subarray(size);
      const { read, written } = this.#encoder.encodeInto(text, room);
      size += written;
      characters += read;
      if (read < text.length) {
        this.#waiting[done] = text.slice(read);
        break;
      }
      done++;
    }
    this.#waiting.splice(0, done);
    return { bytes: this.#chunk.subarray(0, size), characters };
  }
}
