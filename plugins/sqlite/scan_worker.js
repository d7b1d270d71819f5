// Runs one query at a time on a read-only connection of its own. It is started
// from its text, since a program in one file has no file to start it from.
import { DatabaseSync } from "node:sqlite";

let db;

self.onmessage = ({ data }) => {
  if (data === "close") {
    db?.close();
    self.postMessage({ rows: [] });
    return;
  }
  const { path, sql, values } = data;
  try {
    db ??= new DatabaseSync(path, { readOnly: true, timeout: 2000 });
    self.postMessage({ rows: db.prepare(sql).all(...values) });
  } catch (error) {
    const { message, code, errcode } = error;
    self.postMessage({ error: { message, code, errcode } });
  }
};
