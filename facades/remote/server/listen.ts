import { createServer, type Server } from "node:net";
import type { Duplex } from "node:stream";
import { ConfigError, errorLine, UserError } from "../../../core/error.ts";
import { errorCode, systemFailure } from "../../../core/system_error.ts";
import { isLoopback } from "../../../core/loopback.ts";
import type { ServeOptions } from "./options.ts";
import { TlsSocket } from "./tls_socket.ts";

/** A connection, and where it comes from. */
export type Socket = Duplex & { readonly remoteAddress?: string | undefined };

/** What listens on a port. */
export interface Listening {
  readonly port: number;
  /** Lets nobody in any more; those who are in stay. */
  close(): void;
}

/**
 * Listens, with TLS when there is a certificate; `come` gets each connection.
 * Throws a UserError that tells the way out. Deno's HTTP servers for Node are
 * not used: in the runtime that is compiled in they tell neither who connects
 * nor how long it takes.
 */
export async function listen(
  options: Pick<ServeOptions, "host" | "port" | "tls" | "insecure">,
  come: (socket: Socket) => void,
): Promise<Listening> {
  const { host, port, tls, insecure } = options;
  if (!isLoopback(host) && !tls && !insecure) {
    throw new ConfigError(
      `Cannot serve ${host} without TLS: the token and all you say could be read on the way; give --cert and --key, or --insecure in a network you trust`,
    );
  }
  try {
    return tls
      ? listenTls({ hostname: host, port, ...tls }, come)
      : await listenPlain(host, port, come);
  } catch (error) {
    throw failure(error, `${host}:${port}`, tls !== undefined);
  }
}

async function listenPlain(
  host: string,
  port: number,
  come: (socket: Socket) => void,
): Promise<Listening> {
  const server: Server = createServer({ noDelay: true }, come);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  const name = host.replace(/^\[(.*)\]$/, "$1");
  server.listen({ port, host: name, backlog: BACKLOG }, resolve);
  await promise;
  server.off("error", reject);
  server.on("error", () => {}); // of one connection, as when files are too many
  const address = server.address() as { readonly port: number };
  return { port: address.port, close: () => void server.close() };
}

function listenTls(
  options: Deno.ListenTlsOptions & Deno.TlsCertifiedKeyPem,
  come: (socket: Socket) => void,
): Listening {
  const listener = Deno.listenTls(options);
  void accept(listener, come);
  return { port: listener.addr.port, close: () => listener.close() };
}

async function accept(
  listener: Deno.TlsListener,
  come: (socket: Socket) => void,
): Promise<void> {
  for (;;) {
    try {
      come(new TlsSocket(await listener.accept()));
    } catch (error) {
      if (error instanceof Deno.errors.BadResource) return;
      if (error instanceof Deno.errors.Interrupted) return;
      // As when there are too many open files: it passes.
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function failure(error: unknown, where: string, isTls: boolean): UserError {
  const code = errorCode(error);
  switch (code) {
    case "EADDRINUSE":
      return new UserError(
        `Cannot listen on ${where}: the port is taken; choose another by --port, or --port 0 for any`,
      );
    case "EACCES":
      return new UserError(
        `Cannot listen on ${where}: the system does not allow it; choose a port from 1024 up`,
      );
    case "EADDRNOTAVAIL":
    case "EINVAL": // the same, as Deno has it
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new UserError(
        `Cannot listen on ${where}: this machine has no such address; --host 0.0.0.0 is all it has`,
      );
  }
  // The system's errors have codes, those of a certificate have none.
  if (isTls && code === undefined) {
    const line = errorLine(error).replace(/^unexpected error: /, "");
    return new UserError(`Cannot use the certificate or its key: ${line}`);
  }
  return systemFailure(`listen on ${where}`, error);
}

// Some runtimes take it for how many may ever come; the system bounds it anyway.
const BACKLOG = 2 ** 29;
