import {
  _default,
  array,
  boolean,
  enum as oneOf,
  int,
  maximum,
  minimum,
  object,
  optional,
  positive,
  regex,
  strictObject,
  string,
} from "zod/mini";
import type { Checked } from "../../../core/plugin.ts";

/** A token that a subprotocol and a URL's fragment can carry as it is. */
const TOKEN = /^[\w.~-]{16,256}$/;

/** The options of `mm serve`. */
export const Options = strictObject({
  /** Of mm, told to clients. */
  version: _default(string(), "0"),
  /** The address to listen on. */
  host: _default(string(), "127.0.0.1"),
  /** 0: any that is free. */
  port: _default(int().check(minimum(0), maximum(65535)), 7345),
  /** What lets a client in. Default: a random one. */
  token: optional(string().check(regex(TOKEN))),
  /** Certificate and key, PEM: HTTPS. */
  tls: optional(object({ cert: string(), key: string() })),
  /** Serves other machines without TLS. */
  insecure: _default(boolean(), false),
  /** Further names that clients call it by. */
  names: _default(array(string()), []),
  /** How much of each session's record is kept for clients that come back. */
  replay: _default(
    strictObject({
      events: _default(int().check(positive()), 10_000),
      bytes: _default(int().check(positive()), 8 * 1024 * 1024),
    }),
    { events: 10_000, bytes: 8 * 1024 * 1024 },
  ),
  /** Seconds until a session that is idle and watched by nobody is let go. */
  idleRelease: _default(int().check(minimum(1), maximum(1_000_000)), 600),
  /** Bytes that may wait for a client before it is dropped. */
  buffer: _default(int().check(minimum(1024)), 8 * 1024 * 1024),
  /** Where it writes how it is reached, for `mm attach`. Default: nowhere. */
  note: optional(string()),
  /** How it tells where it is: for people, or as a line of JSON. */
  announce: _default(oneOf(["text", "json"]), "text"),
  /** Tells it on stderr, for stdout is another's. */
  stdoutTaken: _default(boolean(), false),
  /** Opens the page in the browser. */
  open: _default(boolean(), false),
  /** Seconds between two looks whether a client is still there. */
  heartbeat: _default(int().check(minimum(1), maximum(3600)), 30),
});

/** The options of `mm serve`, defaults filled in. */
export type ServeOptions = Checked<typeof Options>;
