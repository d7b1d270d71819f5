import { RequestError } from "@agentclientprotocol/sdk";
import { errorLine, ModelError, UserError } from "../../core/error.ts";
import { ClientGone } from "./wire/output.ts";

/** Runs a handler; whatever it throws becomes an error that tells no secret. */
export function answer<C, R>(
  handle: (context: C) => R | Promise<R>,
): (context: C) => Promise<R> {
  return async (context) => {
    try {
      return await handle(context);
    } catch (error) {
      throw fault(error);
    }
  };
}

/** What the client is told. Unexpected errors go to the log, not to the client. */
export function fault(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof ModelError && error.kind === "auth") {
    return authRequired(error.message);
  }
  if (error instanceof UserError || error instanceof ModelError) {
    return internal(errorLine(error));
  }
  if (error instanceof ClientGone) return internal(error.message);
  console.error("Unexpected error:", error);
  return internal("Internal error");
}

/** A failure whose message is exactly `line`. */
export function internal(line: string): RequestError {
  return new RequestError(-32603, line);
}

/** What the client sent cannot be used; the message says why. */
export function invalid(line: string): RequestError {
  return new RequestError(-32602, line);
}

/** There is no such conversation, or it is not open. */
export function noSession(sessionId: string): RequestError {
  return new RequestError(-32002, "There is no such session", { sessionId });
}

/** Nothing can be asked before the user gives mm a key. */
export function authRequired(line: string): RequestError {
  return new RequestError(-32000, line);
}
