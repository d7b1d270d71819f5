import assert from "node:assert/strict";
import type { Summary } from "../../core/store.ts";
import { ago, errorsMark, summaryLine } from "../../core/summary_line.ts";

const now = new Date("2026-09-16T12:00:00Z");
const summary: Summary = {
  id: "20260916-101530-4f2a9c1e",
  title: "fix the build",
  createdAt: "2026-09-16T10:15:30Z",
  updatedAt: "2026-09-16T10:15:30Z",
  cwd: "/project",
  model: "m",
  turns: 1,
  errors: 0,
  usage: { input: 0, output: 0 },
};

Deno.test("summaryLine() gives title, turns, age and errors", () => {
  assert.equal(summaryLine(summary, now), "fix the build · 1 turn · 1 h ago");
  assert.equal(
    summaryLine({ ...summary, title: "", turns: 3, errors: 2 }, now),
    "(no title) · 3 turns · 1 h ago · ⚠️ 2 error(s)",
  );
  assert.equal(
    summaryLine({ ...summary, unreadable: "not JSON" }, now),
    "unreadable: not JSON",
  );
});

Deno.test("errorsMark() is empty without errors", () => {
  assert.equal(errorsMark(0), "");
  assert.equal(errorsMark(1), " · ⚠️ 1 error(s)");
});

Deno.test("ago() speaks in the largest unit that fits, then in dates", () => {
  const at = (text: string) => ago(text, now);
  assert.equal(at("2026-09-16T12:05:00Z"), "just now");
  assert.equal(at("2026-09-16T11:59:30Z"), "just now");
  assert.equal(at("2026-09-16T11:01:00Z"), "59 min ago");
  assert.equal(at("2026-09-15T12:30:00Z"), "23 h ago");
  assert.equal(at("2026-09-14T12:00:00Z"), "2 d ago");
  assert.equal(at("2026-08-01T12:00:00Z"), "2026-08-01");
  assert.equal(at(""), "at an unknown time");
});
