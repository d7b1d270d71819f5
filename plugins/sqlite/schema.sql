-- The log of every session: one row an event, `data` the whole event as JSON.
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at TEXT NOT NULL,
  consolidated_at TEXT,
  task_id TEXT,
  tool_name TEXT
);
CREATE INDEX IF NOT EXISTS idx_events_session_created
  ON events (session_id, created_at DESC);
CREATE INDEX IF NOT EXISTS idx_events_type ON events (event_type);
CREATE INDEX IF NOT EXISTS idx_events_task
  ON events (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_events_unconsolidated
  ON events (consolidated_at) WHERE consolidated_at IS NULL;
CREATE INDEX IF NOT EXISTS idx_events_prune
  ON events (created_at) WHERE consolidated_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS idx_events_tool
  ON events (tool_name, created_at DESC)
  WHERE event_type = 'tool_result' AND tool_name IS NOT NULL;

-- Where each session stands. `key` is never used twice: it tells a session
-- from another that later has the same id.
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  seq INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  gist TEXT NOT NULL
) STRICT;

-- What older programs knew of a message besides the message.
CREATE TABLE event_memory (
  event_id INTEGER PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  message_id TEXT,
  importance REAL,
  embedding BLOB,
  embedding_error TEXT
);

-- Which session became of which conversation of an older program.
CREATE TABLE legacy_sessions (
  legacy_id TEXT PRIMARY KEY,
  session_id TEXT NOT NULL
) STRICT;

-- Rows that an older program kept and that were changed, or left out, with the reason.
CREATE TABLE legacy_notes (
  id INTEGER PRIMARY KEY,
  legacy_row TEXT NOT NULL,
  event_id INTEGER,
  note TEXT NOT NULL
) STRICT;
