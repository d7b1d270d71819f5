import { systemFailure } from "../../core/system_error.ts";

/** Where what is no protocol goes. */
export interface Log extends Disposable {
  write(...values: unknown[]): void;
}

/** Opens a log: stderr, or `file`, which is added to. Only its owner may read it. */
export function openLog(file: string | undefined): Log {
  if (file === undefined) {
    const print = console.error.bind(console);
    return { write: harmless(print), [Symbol.dispose]() {} };
  }
  const handle = open(file);
  const encoder = new TextEncoder();
  return {
    write: harmless((...values) => {
      const text = values.map((v) => v instanceof Error ? v.stack : String(v))
        .join(" ");
      const line = `${new Date().toISOString()} ${text}\n`;
      handle.writeSync(encoder.encode(line));
    }),
    [Symbol.dispose]: () => handle.close(),
  };
}

function open(file: string): Deno.FsFile {
  try {
    return Deno.openSync(file, { append: true, create: true, mode: 0o600 });
  } catch (error) {
    throw systemFailure(`write the log "${file}"`, error);
  }
}

// A full disk must not end what the log is about, and there is nowhere to tell of it.
function harmless(write: Log["write"]): Log["write"] {
  return (...values) => {
    try {
      write(...values);
    } catch { /* see above */ }
  };
}

/** One message as a line of the log. What it says stays out: it may be a secret. */
export function messageLine(way: "in" | "out", message: object): string {
  const { id, method, params, error } = message as Record<string, unknown>;
  const { sessionId, update } = (params ?? {}) as Record<string, unknown>;
  const { sessionUpdate } = (update ?? {}) as Record<string, unknown>;
  const { code } = (error ?? {}) as Record<string, unknown>;
  const words = [
    way === "in" ? "<-" : "->",
    method ?? (error ? `error ${code}` : "result"),
    id !== undefined && `id ${JSON.stringify(id)?.slice(0, 80)}`,
    sessionUpdate,
    sessionId,
  ];
  return words.filter(Boolean).join(" ");
}
