/// <reference lib="dom" />
import { forever } from "./page_store.ts";

const KEY = "mm.token";

/** The token that a link carries in its fragment; undefined when there is none. */
export function tokenIn(link: string): string | undefined {
  return /[#&?]token=([\w.~+/=-]+)/.exec(link)?.[1];
}

/**
 * The token of this server: from the address, which then forgets it, else the
 * one that came before. A fragment is sent to no server and kept in no log.
 */
export function takeToken(): string | undefined {
  const fresh = tokenIn(location.hash);
  if (fresh === undefined) return forever.get(KEY);
  keepToken(fresh);
  const rest = location.hash.replace(/[#&?]token=[^&?]*/, "");
  const hash = rest.replace(/^[&?]/, "").replace(/^(?!#|$)/, "#");
  history.replaceState(null, "", location.pathname + hash);
  return fresh;
}

/** Keeps a token for the next visit. */
export function keepToken(token: string): void {
  forever.set(KEY, token);
}

/** Hears that another page of this browser forgot the token. */
export function whenForgotten(heard: () => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if ((key === KEY || key === null) && newValue === null) heard();
  });
}
