import { ModelError, type ModelErrorKind } from "../error.ts";
import type { Server } from "./exchange.ts";
import { at, textAt, tryParse } from "../json.ts";
import { isOverflow } from "./overflow.ts";
import { TransientError } from "./retry.ts";

/** What a server said instead of an answer. */
export interface Complaint {
  /** HTTP status, or the one an error inside a stream stands for. */
  readonly status?: number;
  /** How it came: `HTTP 503 Service Unavailable`, `error in the stream`. */
  readonly label: string;
  /** The body, or the error object's text. */
  readonly body: string;
  /** The way out, when the caller knows it. */
  readonly hint?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/** The error for a complaint: its kind, one line, and whether trying again may help. */
export function complaint(server: Server, said: Complaint): ModelError {
  const { status = 0, label, retryAfterMs } = said;
  const body = server.redact(said.body); // before anything is cut out of it
  const { message, code } = serverMessage(body);
  const what = message ? `${label}: ${message}` : label;
  const raw = rawOf(server, label, body);
  const fail = (kind: ModelErrorKind, hint = said.hint) =>
    new ModelError(kind, lineOf(server, what, hint), { raw });
  if (status === 413) return fail("overflow", "the request is too large");
  if (status !== 429 && isOverflow(`${code} ${message}`)) {
    return fail("overflow");
  }
  if (status === 401 || status === 403) return fail("auth", server.keyHint);
  if (code.includes("insufficient_quota")) return fail("http");
  if (mayPass(status)) {
    return new TransientError("http", lineOf(server, what, said.hint), {
      raw,
      reason: /^HTTP/.test(label) ? label : firstWords(message) || label,
      ...retryAfterMs !== undefined && { retryAfterMs },
    });
  }
  return fail("http");
}

/** What is wrong with an answer, and the way out. */
export interface Flaw {
  readonly kind: "empty" | "protocol";
  readonly what: string;
  readonly hint?: string;
}

/** An answer that is not what a model server sends, or none at all; `raw` is its start. */
export function flawed(
  server: Server,
  { kind, what, hint }: Flaw,
  raw = "",
): ModelError {
  return new ModelError(kind, lineOf(server, what, hint), {
    raw: rawOf(server, what, raw),
  });
}

/** The error for a request that got no answer, or lost it half-way. */
export function networkError(server: Server, error: unknown): ModelError {
  const raw = server.redact(
    causes(error).replaceAll(/\S*https?:\/\/\S+/g, "…"),
  );
  const tell = (what: string, hint?: string) => lineOf(server, what, hint);
  const passing = (reason: string, hint?: string) =>
    new TransientError("network", tell(reason, hint), {
      raw,
      reason,
      cause: error,
    });
  const final = (what: string, hint?: string) =>
    new ModelError("network", tell(what, hint), { raw, cause: error });
  if (/refused/i.test(raw)) {
    return passing("connection refused", "is the model server running?");
  }
  if (/dns error|lookup address|resolve/i.test(raw)) {
    return final("host name not found", "check baseURL and the network");
  }
  if (/certificate|\btls\b|InvalidContentType|handshake/i.test(raw)) {
    const own = /certificate|issuer/i.test(raw)
      ? "for the system's certificates set DENO_TLS_CA_STORE=system"
      : undefined;
    return final(`no secure connection (${detail(raw)})`, own);
  }
  if (
    /reset|broken pipe|closed|reading a body|end of file|\beof\b/i.test(raw)
  ) {
    return passing("connection lost");
  }
  if (/no such file/i.test(raw)) {
    return final("no such socket", "is the model server running?");
  }
  if (/timed out|unreachable|no route/i.test(raw)) {
    return passing(detail(raw));
  }
  return final(detail(raw));
}

/** One line: what was attempted, what happened, the way out. */
export function lineOf(server: Server, what: string, hint?: string): string {
  const line = `Cannot ask ${server.address.where}: ${what}`;
  return oneLine(server.redact(hint ? `${line}: ${hint}` : line), 600);
}

/** `text` on one line without control characters, cut to `max`. */
export function oneLine(text: string, max = 300): string {
  const line = text
    // deno-lint-ignore no-control-regex
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return line.length > max
    ? `${line.slice(0, max - 1).replace(/[\ud800-\udbff]$/, "")}…`
    : line;
}

/** The start of a body as an error record keeps it. */
function rawOf(server: Server, label: string, body: string): string {
  const head = `${label} from ${server.address.where}`;
  const text = server.redact(body).slice(0, 4000);
  return server.redact(text ? `${head}\n${text}` : head);
}

function mayPass(status: number): boolean {
  return [408, 409, 425, 429].includes(status) || status >= 500;
}

function firstWords(message: string): string {
  return oneLine(message, 60);
}

/** What a body says, in the dialects of model servers and proxies. */
export function serverMessage(body: string): { message: string; code: string } {
  const value = tryParse(body);
  if (value === undefined) return { message: plain(body), code: "" };
  const outer = Array.isArray(value) ? value[0] : value;
  const error = at(outer, "error") ?? at(outer, "errors", 0) ?? outer;
  const message = [
    typeof error === "string" ? error : "",
    textAt(error, "message"),
    textAt(error, "detail"),
    textAt(error, "detail", 0, "msg"),
    textAt(error, "error"),
    textAt(outer, "message"),
  ].find((text) => text !== "");
  const code = [
    textAt(error, "code"),
    textAt(error, "type"),
    textAt(outer, "code"),
  ]
    .filter((text) => text !== "");
  return { message: oneLine(message ?? body), code: code.join(" ") };
}

function plain(text: string): string {
  const body = text.slice(0, 8192);
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(body)?.[1];
  if (title) return `"${oneLine(title, 120)}"`;
  return oneLine(
    body.replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]*>/gi, " "),
  );
}

function causes(error: unknown): string {
  const texts: string[] = [];
  for (
    let next = error;
    next instanceof Error && texts.length < 5;
    next = next.cause
  ) {
    texts.push(next.message);
  }
  return texts.join(": ") || String(error);
}

// The last part of a chain of messages says most: `client error (Connect): …`.
function detail(text: string): string {
  return oneLine(text.split(/: (?=[^:]*$)/).at(-1) ?? text, 160);
}
