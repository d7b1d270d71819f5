import { createHash } from "node:crypto";
import { webFile } from "../web_files.ts";
import type { Head } from "./head.ts";
import { securityHeaders } from "./headers.ts";
import { isOurs } from "./names.ts";

/** An answer over HTTP. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** Why a request is not answered: status and words. */
export type Problem = readonly [status: number, text: string];

/** Answers what is no WebSocket: the files of the web page, and nothing else. */
export async function answerPage(
  head: Head,
  names: readonly string[],
): Promise<Answer> {
  const wrong = problemOf(head, names);
  if (wrong) return refusal(wrong);
  const safe = securityHeaders(head.headers.host ?? "");
  const file = await webFile(path(head));
  if (!file) return refusal([404, "There is no such page"], safe);
  const { type } = file;
  const packed = acceptsGzip(head) ? file.packed : undefined;
  const body = packed ?? file.body;
  const tag = etag(body);
  const isHtml = type.startsWith("text/html");
  const headers = {
    ...safe,
    "content-type": type,
    "cache-control": isHtml ? "no-store" : "no-cache",
    vary: "accept-encoding",
    ...packed && { "content-encoding": "gzip" },
    etag: tag,
  };
  return head.headers["if-none-match"] === tag
    ? { status: 304, headers }
    : { status: 200, headers, body };
}

/** A problem as an answer. */
export function refusal(
  [status, text]: Problem,
  headers: Answer["headers"] = {},
): Answer {
  return {
    status,
    headers: {
      ...headers,
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...status === 405 && { allow: "GET, HEAD" },
      ...status === 426 && { upgrade: "websocket" },
      ...status === 429 && { "retry-after": "10" },
    },
    body: `${text}\n`,
  };
}

/** The answer to a name that is not the server's. */
export const NOT_OURS: Problem = [
  403,
  "This server has no such name: start it with --name to allow it",
];

/** The answer to a token where logs and histories would keep it. */
export const TOKEN_IN_URL: Problem = [
  400,
  "A token belongs behind the # of the address, never into its query",
];

/** Whether the query carries what looks like a token. */
export function hasToken(url: string): boolean {
  return /[?&;](?:access_|auth_)?(?:token|bearer|mm_token)(?:[=&;]|$)/i
    .test(url);
}

function problemOf(
  head: Head,
  names: readonly string[],
): Problem | undefined {
  const { method, url, headers } = head;
  if (!isOurs(headers.host ?? "", names)) return NOT_OURS;
  if (method !== "GET" && method !== "HEAD") {
    return [405, "Only GET and HEAD are answered"];
  }
  if (!url.startsWith("/")) return [400, "The path starts with /"];
  if (url.length > 2048) return [414, "The path is too long"];
  if (hasToken(url)) return TOKEN_IN_URL;
  if (path(head) === "/ws") return [426, "This is for WebSockets"];
}

function path({ url }: Head): string {
  return url.replace(/[?#].*$/s, "");
}

function acceptsGzip({ headers }: Head): boolean {
  return /\bgzip\b(?!\s*;\s*q=0)/.test(headers["accept-encoding"] ?? "");
}

const tags = new WeakMap<Uint8Array, string>();

function etag(body: Uint8Array): string {
  const known = tags.get(body);
  if (known) return known;
  const digest = createHash("sha256").update(body).digest("base64url");
  const tag = `"${digest.slice(0, 22)}"`;
  tags.set(body, tag);
  return tag;
}
