import type { IncomingMessage } from "node:http";
import type { Auth } from "./auth.ts";
import { isOurs, isSameSite } from "./names.ts";
import { hasToken, NOT_OURS, type Problem, TOKEN_IN_URL } from "./pages.ts";
import { BEARER, PROTOCOL } from "../wire.ts";

/** What is asked of a request for a WebSocket. */
export interface UpgradeRules {
  readonly auth: Auth;
  readonly names: readonly string[];
}

/**
 * Looks over a request for a WebSocket: a problem to answer with, or whether
 * its token is right. A browser cannot read the status of a refused one, so a
 * wrong token is let in and told by a close code.
 */
export function checkUpgrade(
  request: IncomingMessage,
  { auth, names }: UpgradeRules,
): Problem | "right" | "wrong" {
  const { headers, method, url = "", socket } = request;
  const { host = "", origin } = headers;
  if (method !== "GET") return [405, "Only GET opens a WebSocket"];
  if (hasToken(url)) return TOKEN_IN_URL;
  if (url !== "/ws") return [404, "WebSockets are at /ws"];
  if (!isOurs(host, names)) return NOT_OURS;
  if (origin !== undefined && !isSameSite(origin, host)) {
    return [403, "A page of another site may not connect"];
  }
  const protocols = (headers["sec-websocket-protocol"] ?? "").split(",")
    .map((p) => p.trim());
  if (!protocols.includes(PROTOCOL)) {
    return [400, `The subprotocol is ${PROTOCOL}`];
  }
  const token = protocols.find((p) => p.startsWith(BEARER))
    ?.slice(BEARER.length);
  const verdict = auth.check(token, socket.remoteAddress ?? "");
  if (verdict === "limited") return [429, "Too many wrong tokens: wait"];
  return verdict;
}
