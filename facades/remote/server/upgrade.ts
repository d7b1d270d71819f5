import {
  hasToken,
  NOT_OURS,
  type Problem,
  TOKEN_IN_URL,
} from "./answer_page.ts";
import type { Auth, Verdict } from "./auth.ts";
import type { Head } from "./head.ts";
import { isOurs, isSameSite } from "./names.ts";
import { BEARER, PROTOCOL } from "../wire.ts";

/** What is asked of a request for a WebSocket. */
export interface UpgradeRules {
  readonly auth: Auth;
  readonly names: readonly string[];
  /** Where the request comes from. */
  readonly address: string;
}

/** Whether a request asks for a WebSocket. */
export function isUpgrade({ headers }: Head): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}

/**
 * Looks over a request for a WebSocket: a problem to answer with, or whether
 * its token is right. A browser cannot read the status of a refused one, so a
 * wrong token is let in and told by a close code.
 */
export function checkUpgrade(
  { headers, method, url }: Head,
  { auth, names, address }: UpgradeRules,
): Problem | Exclude<Verdict, "limited"> {
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
  const verdict = auth.check(token, address);
  if (verdict === "limited") return [429, "Too many wrong tokens: wait"];
  return verdict;
}
