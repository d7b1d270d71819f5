/** Where what is no protocol goes. */
export interface Log extends Disposable {
  write(...values: unknown[]): void;
}

/** Opens a log: stderr, or `file`, which is added to. Only its owner may read it. */
export function openLog(file: string | undefined): Log {
  if (file === undefined) {
    const print = console.error.bind(console);
    return { write: (...values) => print(...values), [Symbol.dispose]() {} };
  }
  const handle = Deno.openSync(file, {
    append: true,
    create: true,
    mode: 0o600,
  });
  const encoder = new TextEncoder();
  return {
    write(...values) {
      const text = values.map((v) => v instanceof Error ? v.stack : String(v))
        .join(" ");
      const line = `${new Date().toISOString()} ${text}\n`;
      handle.writeSync(encoder.encode(line));
    },
    [Symbol.dispose]: () => handle.close(),
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
