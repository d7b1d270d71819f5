import { isIP } from "node:net";
import { networkInterfaces } from "node:os";

/** Where a server is reached. */
export interface Addresses {
  /** From this machine. */
  readonly here: string;
  /** From others, best first; empty when it serves this machine alone. */
  readonly elsewhere: readonly string[];
}

/** The addresses of a server, each `http://host:port/`. */
export function addresses(
  { host, port, secure }: {
    readonly host: string;
    readonly port: number;
    readonly secure: boolean;
  },
): Addresses {
  const url = (name: string) => {
    const shown = isIP(name) === 6 ? `[${name}]` : name;
    return `${secure ? "https" : "http"}://${shown}:${port}/`;
  };
  if (host === "0.0.0.0" || host === "::") {
    const all = ownAddresses(host === "::");
    return { here: url("127.0.0.1"), elsewhere: all.map(url) };
  }
  return { here: url(host), elsewhere: [] };
}

function ownAddresses(six: boolean): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    .filter((one) => !one.internal && (one.family === "IPv4" || six))
    .filter((one) => !one.address.startsWith("fe80:")) // good with an interface alone
    .map((one) => one.address);
}
