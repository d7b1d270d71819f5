import { Buffer } from "node:buffer";
import type { Problem } from "./answer_page.ts";
import type { Socket } from "./listen.ts";

/** The head of a request: of HTTP, this is all that is read. */
export interface Head {
  readonly method: string;
  readonly url: string;
  /** By names in lower case; of several, joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A head, with what came behind it; or what is wrong with it. */
export type ReadHead =
  | { readonly head: Head; readonly rest: Buffer }
  | { readonly problem: Problem };

/**
 * Waits for the head of a request; undefined when the other side leaves before.
 * The socket flows on, for some runtimes do not bear a pause: whoever awaits
 * this listens to it at once.
 */
export async function readHead(
  socket: Socket,
  patienceMs = 10_000,
): Promise<ReadHead | undefined> {
  const { promise, resolve } = Promise.withResolvers<
    number | Problem | undefined
  >();
  let bytes = Buffer.alloc(0);
  const read = (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    const end = bytes.indexOf(END);
    if (!isLetter(bytes[0])) resolve(NO_HTTP); // as of TLS, which would wait
    else if (end >= 0 && end <= MAX) resolve(end);
    else if (bytes.length > MAX) resolve(TOO_LONG);
  };
  const leave = () => resolve(undefined);
  const timer = setTimeout(() => resolve(TOO_SLOW), patienceMs);
  socket.on("data", read);
  socket.on("close", leave);
  const end = await promise;
  clearTimeout(timer);
  socket.off("data", read);
  socket.off("close", leave);
  if (end === undefined) return undefined;
  if (typeof end !== "number") return { problem: end };
  const head = parseHead(bytes.toString("latin1", 0, end));
  if (!("method" in head)) return { problem: head };
  return { head, rest: bytes.subarray(end + END.length) };
}

/** Reads `GET /path HTTP/1.1` and the lines below it. */
export function parseHead(text: string): Head | Problem {
  const [first = "", ...lines] = text.split("\r\n");
  const [, method, url] = /^([A-Z]{1,20}) (\S+) HTTP\/1\.[01]$/.exec(first) ??
    [];
  if (method === undefined || url === undefined) return NO_HTTP;
  if (lines.length > MAX_LINES) return TOO_LONG;
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name = "", value = ""] =
      /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/.exec(line) ?? [];
    if (!name) return NO_HTTP;
    const key = name.toLowerCase();
    // Whoever is between could have meant the other one.
    if (key === "host" && headers[key] !== undefined) return NO_HTTP;
    headers[key] = headers[key] === undefined
      ? value
      : `${headers[key]}, ${value}`;
  }
  return { method, url, headers };
}

function isLetter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x41 && byte <= 0x5a;
}

const END = "\r\n\r\n";

const MAX = 16 * 1024;

const MAX_LINES = 100;

const NO_HTTP: Problem = [400, "This is no HTTP request"];

const TOO_LONG: Problem = [431, "The headers are too long"];

const TOO_SLOW: Problem = [408, "The request took too long"];
