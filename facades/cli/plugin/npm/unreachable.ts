import { errorLine, UserError } from "../../../../core/error.ts";

/** What to tell of a request that got no answer, with the way out. */
export function unreachable({ host }: URL, error: unknown): UserError {
  const line = errorLine(innermost(error));
  // What was asked of whom is known: `… (https://…): client error (Connect): why`.
  const why = line.slice(line.lastIndexOf("): ") + 1).replace(/^: /, "");
  const way = /certificate/i.test(why)
    ? "; name the file of the authority you trust by NODE_EXTRA_CA_CERTS, or set DENO_TLS_CA_STORE=system"
    : "";
  return new UserError(`no answer from ${host}: ${why}${way}`, {
    cause: error,
  });
}

function innermost(error: unknown): unknown {
  let inner = error;
  while (inner instanceof Error && inner.cause !== undefined) {
    inner = inner.cause;
  }
  return inner;
}
