import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { processSuite } from "../../store_suite/processes.ts";

processSuite("sqlite", { appends: 1000, kills: 30, check: integrity });

function integrity(project: string): void {
  const db = new DatabaseSync(`${project}/.mm/sessions.db`);
  try {
    const { integrity_check: said } = db.prepare("PRAGMA integrity_check")
      .get()!;
    assert.equal(said, "ok");
    const index =
      "INSERT INTO message_text (message_text) VALUES ('integrity-check')";
    db.exec(index);
  } finally {
    db.close();
  }
}
