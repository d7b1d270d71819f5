import type { FacadeHost } from "../../core/facade.ts";
import { makeApp } from "./app.ts";
import { Desk } from "./desk.ts";
import { Peer } from "./peer.ts";
import { type Edges, Wire } from "./wire/wire.ts";

/** What serving one client needs besides the agent. */
export interface ServeOptions {
  readonly edges: Edges;
  /** Told to the client. */
  readonly version: string;
  /** Longest line that is read, in bytes. */
  readonly maxLine?: number;
  /** How long the last answers may take, and a client to read anything of them. */
  readonly patienceMs?: number;
  /** Sees each message that passes. */
  readonly onMessage?: (way: "in" | "out", message: object) => void;
}

/** Serves one client until it leaves, or the host's signal comes; all is saved then. */
export async function serve(
  host: FacadeHost,
  { edges, version, ...options }: ServeOptions,
): Promise<void> {
  const wire = new Wire(edges, { ...options, onEnd: () => desk.stop() });
  const connection = makeApp(() => desk).connect(wire.stream);
  const desk: Desk = new Desk(host, new Peer(connection.client), version);
  const end = () => wire.end();
  host.signal.addEventListener("abort", end);
  if (host.signal.aborted) end();
  try {
    await connection.closed;
    desk.stop(); // a client that reads no more is gone, too
    await desk.end();
    await wire.close();
  } finally {
    host.signal.removeEventListener("abort", end);
  }
}
