/** The schema of the older program, as it was. */
export const SCHEMA = `
CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL,
  role TEXT NOT NULL,
  content TEXT,
  tool_call_id TEXT,
  tool_name TEXT,
  tool_calls_json TEXT,
  created_at TEXT NOT NULL,
  importance REAL DEFAULT 0.5,
  embedding BLOB,
  embedding_error TEXT,
  consolidated_at TEXT
);
CREATE INDEX idx_messages_session ON messages (session_id);
CREATE TABLE facts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  category TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  source TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (category, key)
);
CREATE TABLE terminal_allowed_prefixes (prefix TEXT PRIMARY KEY);
`;

/** A row of `messages`. */
export type LegacyRow = readonly [
  id: string | null,
  session: string,
  role: string,
  content: string | Uint8Array | null,
  toolCallId: string | null,
  toolName: string | null,
  toolCalls: string | null,
  createdAt: string,
  importance: number | string | null,
  embedding: Uint8Array | string | null,
  embeddingError: string | null,
  consolidatedAt: string | null,
];

/** The statement that inserts one. */
export const INSERT = `INSERT INTO messages VALUES (${
  Array(12).fill("?").join(", ")
})`;

/** `count` rows of every kind in ten conversations; each 50th one is malformed in a way of its own. */
export function legacyRows(count: number): readonly LegacyRow[] {
  return Array.from({ length: count }, (_, n) => {
    const row = good(n);
    return n % 50 === 49
      ? MALFORM[Math.floor(n / 50) % MALFORM.length]!(row)
      : row;
  });
}

function good(n: number): LegacyRow {
  const id = `message-${String(n).padStart(6, "0")}`;
  const session = `telegram:${n % 10}`;
  const at = new Date(Date.UTC(2026, 0, 1) + n * 60_000);
  // The same time in another zone, as the older program wrote some.
  const time = n % 3 === 0
    ? new Date(at.getTime() + 7_200_000).toISOString().replace("Z", "+02:00")
    : at.toISOString();
  const embedding = n % 4 === 0 ? vector(n) : null;
  const rest = [
    time,
    (n % 10) / 10,
    embedding,
    n % 7 === 0 ? "model not loaded" : null,
    n % 11 === 0 ? at.toISOString() : null,
  ] as const;
  const turn = Math.floor(n / 10) % 4;
  const call = `call-${session}-${Math.floor(n / 40)}`;
  switch (turn) {
    case 0:
      return [id, session, "user", `question ${n}`, null, null, null, ...rest];
    case 1: {
      const calls = JSON.stringify([
        { id: call, name: "terminal", arguments: `{"command":"ls ${n}"}` },
      ]);
      return [id, session, "assistant", null, null, null, calls, ...rest];
    }
    case 2:
      return [
        id,
        session,
        "tool",
        `output ${n}`,
        call,
        "terminal",
        null,
        ...rest,
      ];
    default:
      return [
        id,
        session,
        n % 40 === 39 ? "system" : "assistant",
        `answer ${n}`,
        null,
        null,
        null,
        ...rest,
      ];
  }
}

function vector(n: number): Uint8Array {
  return new Uint8Array(new Float32Array([n, -n, 0.5]).buffer);
}

type Change = (row: LegacyRow) => LegacyRow;

const MALFORM: readonly Change[] = [
  (r) => r.with(0, null) as unknown as LegacyRow,
  (r) => r.with(1, "") as unknown as LegacyRow,
  (r) => r.with(2, "robot") as unknown as LegacyRow,
  (r) => r.with(3, new Uint8Array([104, 105])) as unknown as LegacyRow,
  (r) => r.with(3, null) as unknown as LegacyRow,
  (r) => r.with(6, "{not json") as unknown as LegacyRow,
  (r) => r.with(6, `[{"name":"x"}, 7, null]`) as unknown as LegacyRow,
  (r) => r.with(7, "yesterday") as unknown as LegacyRow,
  (r) => r.with(8, "very") as unknown as LegacyRow,
  (r) => r.with(9, "[0.1, 0.2]") as unknown as LegacyRow,
];
