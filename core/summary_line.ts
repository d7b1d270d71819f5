import type { Summary } from "./store.ts";

/** `title · 3 turns · 2 h ago · ⚠️ 1 error(s)`; an unreadable one gives its reason. */
export function summaryLine(summary: Summary, now: Date): string {
  const { title, turns, updatedAt, errors, unreadable } = summary;
  if (unreadable !== undefined) return `unreadable: ${unreadable}`;
  const parts = [
    title || "(no title)",
    `${turns} ${turns === 1 ? "turn" : "turns"}`,
    ago(updatedAt, now),
  ];
  return parts.join(" · ") + errorsMark(errors);
}

/** ` · ⚠️ N error(s)`, or nothing when there are none. */
export function errorsMark(errors: number): string {
  return errors > 0 ? ` · ⚠️ ${errors} error(s)` : "";
}

/** How long ago `at` (ISO 8601) was: `just now`, `5 min ago`, `3 h ago`, then the date. */
export function ago(at: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(at)) / 60_000);
  if (Number.isNaN(minutes)) return "at an unknown time";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return minutes < 7 * 24 * 60
    ? `${Math.floor(minutes / 1440)} d ago`
    : at.slice(0, 10);
}
