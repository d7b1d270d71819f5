import { Buffer } from "node:buffer";
import type { Answer } from "./answer_page.ts";
import type { Socket } from "./listen.ts";

/** Sends an answer, and ends the connection: each has one request. */
export function writeAnswer(
  socket: Socket,
  { status, headers, body = "" }: Answer,
  isHead = false,
): void {
  const bytes = Buffer.from(body as Uint8Array);
  const lines = Object.entries({
    ...headers,
    date: new Date().toUTCString(),
    connection: "close",
    ...status !== 304 && { "content-length": String(bytes.length) },
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const first = `HTTP/1.1 ${status} ${REASONS[status] ?? "Refused"}\r\n`;
  socket.write(`${first}${lines.join("")}\r\n`);
  socket.end(isHead ? undefined : bytes);
  // What is still sent here flows and is thrown away, or the answer might be lost.
  const late = setTimeout(() => socket.destroy(), PATIENCE_MS);
  socket.once("close", () => clearTimeout(late));
}

/** How long reading an answer may take. */
const PATIENCE_MS = 60_000;

const REASONS: { readonly [status: number]: string } = {
  200: "OK",
  304: "Not Modified",
  400: "Bad Request",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  414: "URI Too Long",
  426: "Upgrade Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
