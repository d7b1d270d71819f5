import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { securityHeaders } from "./headers.ts";
import { isOurs } from "./names.ts";
import { webFile } from "../web_files.ts";

/** Answers what is no WebSocket: the files of the web page, and nothing else. */
export async function answerPage(
  request: IncomingMessage,
  response: ServerResponse,
  names: readonly string[],
): Promise<void> {
  const { host = "" } = request.headers;
  const wrong = problem(request, names);
  if (wrong) return end(response, wrong);
  for (const [name, value] of Object.entries(securityHeaders(host))) {
    response.setHeader(name, value);
  }
  const file = await webFile(path(request));
  if (!file) return end(response, [404, "There is no such page"]);
  const { body, type } = file;
  const tag = etag(body);
  const isHtml = type.startsWith("text/html");
  response.setHeader("content-type", type);
  response.setHeader("cache-control", isHtml ? "no-store" : "no-cache");
  response.setHeader("etag", tag);
  if (request.headers["if-none-match"] === tag) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader("content-length", body.byteLength);
  response.writeHead(200);
  response.end(request.method === "HEAD" ? undefined : Buffer.from(body));
}

/** Why a request is not answered: status and words. */
export type Problem = readonly [status: number, text: string];

function problem(
  request: IncomingMessage,
  names: readonly string[],
): Problem | undefined {
  const { method, url = "", headers } = request;
  if (!isOurs(headers.host ?? "", names)) return NOT_OURS;
  if (method !== "GET" && method !== "HEAD") {
    return [405, "Only GET and HEAD are answered"];
  }
  if (!url.startsWith("/")) return [400, "The path starts with /"];
  if (url.length > 2048) return [414, "The path is too long"];
  if (hasToken(url)) return TOKEN_IN_URL;
  if (path(request) === "/ws") return [426, "This is for WebSockets"];
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

function path({ url = "" }: IncomingMessage): string {
  return url.replace(/[?#].*$/s, "");
}

function end(response: ServerResponse, [status, text]: Problem): void {
  response.setHeader("content-type", "text/plain; charset=utf-8");
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  if (status === 405) response.setHeader("allow", "GET, HEAD");
  if (status === 426) response.setHeader("upgrade", "websocket");
  response.writeHead(status);
  response.end(`${text}\n`);
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
