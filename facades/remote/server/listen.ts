import { errorLine, UserError } from "../../../core/error.ts";
import { errorCode, systemFailure } from "../../../core/system_error.ts";
import { isLoopback } from "./names.ts";
import type { ServeOptions } from "./options.ts";

/** Listens, with TLS when there is a certificate. Throws a UserError that tells the way out. */
export function listen(
  { host, port, tls, insecure }: Pick<
    ServeOptions,
    "host" | "port" | "tls" | "insecure"
  >,
): Deno.Listener<Deno.Conn> {
  if (!isLoopback(host) && !tls && !insecure) {
    throw new UserError(
      `Cannot serve ${host} without TLS: the token and all you say could be read on the way; give --cert and --key, or --insecure in a network you trust`,
    );
  }
  const where = { hostname: host, port };
  try {
    return tls ? Deno.listenTls({ ...where, ...tls }) : Deno.listen(where);
  } catch (error) {
    throw failure(error, `${host}:${port}`, tls !== undefined);
  }
}

function failure(error: unknown, where: string, isTls: boolean): UserError {
  if (error instanceof Deno.errors.AddrInUse) {
    return new UserError(
      `Cannot listen on ${where}: the port is taken; choose another by --port, or --port 0 for any`,
    );
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return new UserError(
      `Cannot listen on ${where}: the system does not allow it; choose a port from 1024 up`,
    );
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return new UserError(
      `Cannot listen on ${where}: this machine has no such address; --host 0.0.0.0 is all it has`,
    );
  }
  // The system's errors have codes, those of a certificate have none.
  if (isTls && errorCode(error) === undefined) {
    const line = errorLine(error).replace(/^unexpected error: /, "");
    return new UserError(`Cannot use the certificate or its key: ${line}`);
  }
  return systemFailure(`listen on ${where}`, error);
}
