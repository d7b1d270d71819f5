import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { UserError } from "../../../core/error.ts";
import { systemFailure } from "../../../core/system_error.ts";
import { isLoopback } from "./names.ts";
import type { ServeOptions } from "./options.ts";

/** An HTTP server that waits for no slow or endless request. */
export function makeServer({ tls }: Pick<ServeOptions, "tls">): Server {
  const limits = {
    maxHeaderSize: 16 * 1024,
    headersTimeout: 10_000,
    requestTimeout: 15_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 2_000,
  };
  return tls
    ? createTlsServer({ ...limits, ...tls }) as unknown as Server
    : createServer(limits);
}

/** Listens; resolves to the port. Throws a UserError that tells the way out. */
export async function listen(
  server: Server,
  { host, port, tls, insecure }: ServeOptions,
): Promise<number> {
  if (!isLoopback(host) && !tls && !insecure) {
    throw new UserError(
      `Cannot serve ${host} without TLS: the token and all you say could be read on the way; give --cert and --key, or --insecure in a network you trust`,
    );
  }
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (error) {
    throw failure(error, host, port);
  }
  server.off("error", reject);
  return (server.address() as AddressInfo).port;
}

function failure(error: unknown, host: string, port: number): UserError {
  const { code } = error as { code?: string };
  const where = `${host}:${port}`;
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
    default:
      return systemFailure(`listen on ${where}`, error);
  }
}
