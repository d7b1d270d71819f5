/** A network between a client and a server on this machine, which may fail. */
export class Network implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #serving: Promise<void>;
  readonly #links = new Set<Link>();
  /** Where it leads. */
  to: number;
  #dead = false;

  constructor(to: number) {
    this.to = to;
    this.#serving = this.#serve();
  }

  get port(): number {
    return (this.#listener.addr as Deno.NetAddr).port;
  }

  /** Ends every connection. */
  cut(): void {
    for (const link of this.#links) link.close();
  }

  /** Nothing arrives any more, and nobody is told. */
  die(): void {
    this.#dead = true;
  }

  /** It works again, for new connections. */
  live(): void {
    this.cut();
    this.#dead = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    this.cut();
    await this.#serving;
    await Promise.all([...this.#links].map((link) => link.over));
  }

  async #serve(): Promise<void> {
    for await (const near of this.#listener) {
      try {
        const far = await Deno.connect({
          hostname: "127.0.0.1",
          port: this.to,
        });
        const link = new Link(near, far, () => this.#dead);
        this.#links.add(link);
        void link.over.then(() => this.#links.delete(link));
      } catch {
        near.close(); // the server is down
      }
    }
  }
}

class Link {
  readonly over: Promise<unknown>;
  readonly #ends: readonly Deno.TcpConn[];

  constructor(near: Deno.TcpConn, far: Deno.TcpConn, isDead: () => boolean) {
    this.#ends = [near, far];
    this.over = Promise.all([
      pump(near, far, isDead),
      pump(far, near, isDead),
    ]).finally(() => this.close());
  }

  close(): void {
    for (const end of this.#ends) {
      try {
        end.close();
      } catch { /* it is closed */ }
    }
  }
}

async function pump(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  isDead: () => boolean,
): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  try {
    for (;;) {
      const read = await from.read(buffer);
      if (read === null) break;
      if (isDead()) continue;
      for (let at = 0; at < read;) {
        at += await to.write(buffer.subarray(at, read));
      }
    }
  } catch { /* an end was closed */ }
  try {
    to.close();
  } catch { /* it is closed */ }
}
