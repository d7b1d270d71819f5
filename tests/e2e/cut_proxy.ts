/** A network that can be cut: it stands between a browser and a server. */
export interface CutProxy extends AsyncDisposable {
  readonly port: number;
  /** Ends all connections; new ones are refused until `mend`. */
  cut(): void;
  /** Connections stay and carry nothing any more: what a phone in a tunnel sees. */
  stall(): void;
  mend(): void;
}

/** Opens a proxy to a port of this machine. */
export function cutProxy(to: number): CutProxy {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  let state: "open" | "cut" | "stalled" = "open";

  const close = (conn: Deno.Conn) => {
    if (open.delete(conn)) conn.close();
  };
  const pump = async (from: Deno.Conn, into: Deno.Conn) => {
    const buffer = new Uint8Array(32 * 1024);
    try {
      while (true) {
        const n = await from.read(buffer);
        if (n === null) break;
        if (state === "stalled") continue; // lost on the way
        for (let at = 0; at < n;) {
          at += await into.write(buffer.subarray(at, n));
        }
      }
    } catch {
      // One end is gone; so is the other.
    }
    close(from);
    close(into);
  };
  const serve = async (client: Deno.Conn) => {
    open.add(client);
    if (state === "cut") return close(client);
    try {
      const server = await Deno.connect({ hostname: "127.0.0.1", port: to });
      open.add(server);
      await Promise.all([pump(client, server), pump(server, client)]);
    } catch {
      close(client); // the server is down
    }
  };
  const accepting = (async () => {
    for await (const client of listener) serve(client);
  })();
  const endAll = () => open.forEach(close);
  return {
    port: listener.addr.port,
    cut() {
      state = "cut";
      endAll();
    },
    stall() {
      state = "stalled";
    },
    mend() {
      // What was lost in a stall cannot be made up for: those connections end.
      if (state === "stalled") endAll();
      state = "open";
    },
    async [Symbol.asyncDispose]() {
      listener.close();
      endAll();
      await accepting.catch(() => {}); // the listener is closed
    },
  };
}
