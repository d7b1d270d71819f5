import { isPrompt, MAX_ERRORS, type SessionState } from "./fold.ts";
import type { StoredMessage } from "./message.ts";
import { same } from "./same.ts";

/**
 * Tells whether `later` is `earlier` gone on: it holds all that `earlier` holds,
 * but for what a compaction or a withdrawal may have taken, and nothing older besides.
 */
export function continues(later: SessionState, earlier: SessionState): boolean {
  if (later.createdAt !== earlier.createdAt || later.cwd !== earlier.cwd) {
    return false;
  }
  if (later.seq <= earlier.seq || later.turns < earlier.turns) return false;
  return keepsMessages(later, earlier) && keepsErrors(later, earlier);
}

function keepsMessages(later: SessionState, earlier: SessionState): boolean {
  const before = new Map(talk(earlier).map((m) => [m.seq, m]));
  const now = new Map(talk(later).map((m) => [m.seq, m]));
  const compacted = Math.max(0, ...summaries(later).map((m) => m.seq));
  const open = earlier.open ?? Infinity;
  for (const [seq, message] of before) {
    const kept = now.get(seq);
    if (kept ? !same(kept, message) : seq > compacted && seq < open) {
      return false;
    }
  }
  return [...now.keys()].every((seq) => seq > earlier.seq || before.has(seq));
}

function keepsErrors(later: SessionState, earlier: SessionState): boolean {
  if (later.errors.length < earlier.errors.length) return false;
  if (later.errors.length === MAX_ERRORS) return true; // the oldest may have left
  return earlier.errors.every((error, i) => same(error, later.errors[i]));
}

// What people and models said; the prompt is today's, a summary a later one's.
function talk(state: SessionState): readonly StoredMessage[] {
  return state.messages.filter((m) => !isPrompt(m) && !isSummary(m));
}

function summaries(state: SessionState): readonly StoredMessage[] {
  return state.messages.filter(isSummary);
}

function isSummary(message: StoredMessage): boolean {
  return message.role === "system" && message.summary === true;
}
