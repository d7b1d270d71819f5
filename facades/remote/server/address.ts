import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isLoopback } from "../../../core/loopback.ts";

/** Where a server is reached. */
export interface Addresses {
  /** From this machine. */
  readonly here: string;
  /** From others, best first; empty when it serves this machine alone. */
  readonly elsewhere: readonly string[];
}

/** The addresses of a server, each `http://host:port/`. */
export function addresses(
  { host, port, secure, names }: {
    readonly host: string;
    readonly port: number;
    readonly secure: boolean;
    /** What else it is called. */
    readonly names: readonly string[];
  },
): Addresses {
  const url = (name: string) => {
    const shown = isIP(name) === 6 ? `[${name}]` : name;
    return `${secure ? "https" : "http"}://${shown}:${port}/`;
  };
  // A certificate is for a name; without one, a name may be a proxy's.
  const named = secure && !isLoopback(host) ? names.map(url) : [];
  if (host === "0.0.0.0" || host === "::") {
    const all = ownAddresses(host === "::");
    return { here: url("127.0.0.1"), elsewhere: [...named, ...all.map(url)] };
  }
  return { here: url(host), elsewhere: named };
}

function ownAddresses(six: boolean): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    .filter((one) => !one.internal && (one.family === "IPv4" || six))
    .filter((one) => !one.address.startsWith("fe80:")) // good with an interface alone
    .map((one) => one.address);
}
