/** Where a model server listens. */
export interface Address {
  /** Base URL, without a trailing slash. */
  readonly base: URL;
  /** The Unix socket to connect to, instead of the base's host. */
  readonly socket?: string;
  /** Short, for messages: `localhost:11434` or the socket's path. */
  readonly where: string;
}

/** How an address is written, for messages. */
export const ADDRESS_FORM =
  "expected http://host:port/v1, https://… or unix:///path.sock[:/v1], without a user or password";

/**
 * Reads a base URL. `unix:///run/x.sock:/engines/v1` is a socket and, after a
 * colon, the URL path on it. A base without a path means `/v1`. Undefined when
 * it is written wrongly, or holds a user or password: they would be sent as a
 * key that nothing else here knows of.
 */
export function parseAddress(text: string): Address | undefined {
  const [, socket, path] = /^unix:\/\/(\/.+?)(?::(\/.*))?$/.exec(text) ?? [];
  const url = socket ? `http://localhost${path ?? ""}` : text;
  if (!/^https?:\/\/./.test(url) || !URL.canParse(url)) return undefined;
  const base = new URL(url);
  if (base.username || base.password) return undefined;
  base.pathname = base.pathname.replace(/\/+$/, "");
  if (base.pathname === "/") base.pathname = "/v1";
  base.hash = "";
  return socket ? { base, socket, where: socket } : { base, where: base.host };
}

/** The URL of `path` under the base; the base's query stays. */
export function urlOf({ base }: Address, path: string): string {
  const url = new URL(base);
  const [name = "", query] = path.split("?");
  url.pathname = `${url.pathname}${name}`;
  if (query) url.search = url.search ? `${url.search}&${query}` : query;
  return url.href;
}
