import { hostname, networkInterfaces } from "node:os";
import { isIP } from "node:net";
import { isLoopback } from "../../../core/loopback.ts";

/**
 * Whether a server may be called so. A page of another site can make its own
 * name mean this machine (DNS rebinding), so names it does not have are
 * refused. An address is no name: it cannot be made to mean another one.
 */
export function isOurs(host: string, names: readonly string[]): boolean {
  const name = nameOf(host);
  if (name === undefined) return false;
  if (isIP(name.replace(/^\[(.*)\]$/, "$1")) > 0) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const own = hostname().toLowerCase();
  return [own, `${own}.local`, ...names.map((n) => n.toLowerCase())]
    .includes(name);
}

/** Whether a page of `origin` is the one that is served under `host`. */
export function isSameSite(origin: string, host: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  if (protocol !== "http:" && protocol !== "https:") return false;
  const to = `${protocol}//${host}`;
  return URL.canParse(to) && new URL(to).host === from;
}

/** Whether a host is this machine: only it, or one of its addresses. */
export function isHere(host: string): boolean {
  if (isLoopback(host) || host === hostname().toLowerCase()) return true;
  const address = host.replace(/^\[(.*)\]$/, "$1").replace(/^::ffff:/i, "");
  return Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    .some((own) => own.address === address);
}

function nameOf(host: string): string | undefined {
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host)) {
    return undefined;
  }
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
}
