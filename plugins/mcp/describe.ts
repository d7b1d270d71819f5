// @ts-types="@modelcontextprotocol/sdk/types"
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { errorLine } from "../../core/error.ts";
import { at } from "../../core/json.ts";
import { plain } from "./plain.ts";

/** Why a server cannot be used, as the second half of a sentence. */
export function describe(error: unknown, evidence: string): string {
  const status = httpStatus(error);
  if (status === 401 || status === 403) {
    return `it wants a login (HTTP ${status}): give it a token under "headers"; OAuth is not supported`;
  }
  if (status === 404 || status === 405) {
    return `it answered HTTP ${status}: check its url; an older server needs "type: sse"`;
  }
  if (error instanceof McpError && /: Connection closed$/.test(error.message)) {
    return evidence || "it closed the connection";
  }
  if (Array.isArray(at(error, "issues"))) {
    return "its answer is not what MCP lays down";
  }
  return [why(error), evidence].filter(Boolean).join("; ");
}

/** The HTTP status an error is about; undefined when it is about something else. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof McpError) return undefined; // its code is JSON-RPC's
  const code = error instanceof Error && "code" in error
    ? error.code
    : undefined;
  if (typeof code === "number" && code >= 400 && code < 600) return code;
  const [, status] = /\(HTTP (\d{3})\)/.exec(errorLine(error)) ?? [];
  return status === undefined ? undefined : Number(status);
}

// fetch says "fetch failed" and, in its cause, the URL: that may hold a secret.
function why(error: unknown): string {
  const failed = error instanceof TypeError && error.cause instanceof Error;
  const line = errorLine(failed ? error.cause : error);
  return plain(
    line.replace(
      /error sending request for url \(.*?\)/,
      "it cannot be reached",
    ),
  );
}
