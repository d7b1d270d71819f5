import { Buffer } from "node:buffer";
import { Duplex } from "node:stream";

/** A connection of Deno's as a stream of Node's, which is what `ws` takes. */
export class TlsSocket extends Duplex {
  /** Of the other side. */
  readonly remoteAddress: string;
  readonly #connection: Deno.TlsConn;
  #reading = false;
  #chunk = SMALL;

  constructor(connection: Deno.TlsConn) {
    super({ allowHalfOpen: false, highWaterMark: 64 * 1024 });
    this.#connection = connection;
    const { remoteAddr } = connection;
    this.remoteAddress = "hostname" in remoteAddr ? remoteAddr.hostname : "";
  }

  override _read(): void {
    if (!this.#reading) void this.#pull();
  }

  override _write(
    chunk: Buffer,
    _encoding: string,
    done: (error?: Error | null) => void,
  ): void {
    this.#send([chunk]).then(() => done(), done);
  }

  override _writev(
    chunks: { chunk: Buffer }[],
    done: (error?: Error | null) => void,
  ): void {
    this.#send(joined(chunks.map(({ chunk }) => chunk)))
      .then(() => done(), done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#connection.closeWrite().catch(() => {}).then(() => done());
  }

  override _destroy(
    error: Error | null,
    done: (error?: Error | null) => void,
  ): void {
    try {
      this.#connection.close();
    } catch { /* it is closed */ }
    done(error);
  }

  async #pull(): Promise<void> {
    this.#reading = true;
    try {
      // Idle clients are many: only who sends much gets a large buffer.
      const buffer = Buffer.allocUnsafeSlow(this.#chunk);
      const read = await this.#connection.read(buffer);
      this.#reading = false;
      if (read === null) return void this.push(null);
      this.#chunk = read === buffer.length ? LARGE : SMALL;
      this.push(buffer.subarray(0, read));
    } catch (error) {
      this.#reading = false;
      this.destroy(error as Error);
    }
  }

  async #send(chunks: readonly Buffer[]): Promise<void> {
    for (const chunk of chunks) {
      for (let at = 0; at < chunk.length;) {
        at += await this.#connection.write(chunk.subarray(at));
      }
    }
  }
}

const SMALL = 4 * 1024;

const LARGE = 64 * 1024;

// A frame's head and its text are two chunks: short ones go out together.
function joined(chunks: readonly Buffer[]): readonly Buffer[] {
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  return bytes <= LARGE ? [Buffer.concat(chunks)] : chunks;
}
