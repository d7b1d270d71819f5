import {
  isDurable,
  type SessionEvent,
  type Update,
} from "../../../core/event.ts";
import { empty, type SessionState } from "../../../core/fold.ts";
import { foldAll } from "../../../core/fold_all.ts";
import { pass, type Passing } from "./passing.ts";

/** What updates amount to: what they record, and what passes. */
export interface Reading {
  readonly state: SessionState;
  readonly passing: Passing;
}

/** The one reader, of replays and of what happens. An event that cannot be read changes nothing. */
export function readAll(from: Reading, updates: readonly Update[]): Reading {
  try {
    return read(from, updates);
  } catch {
    if (updates.length < 2) return from;
    return updates.reduce((now, update) => readAll(now, [update]), from);
  }
}

function read(
  { state, passing }: Reading,
  updates: readonly Update[],
): Reading {
  let events: SessionEvent[] = [];
  let now = { state, passing };
  const settle = () => {
    now = { ...now, state: foldAll(events, now.state) };
    events = [];
  };
  for (const update of updates) {
    now = { ...now, passing: pass(now.passing, update) };
    if (isDurable(update)) events.push(update);
    if (update.type !== "rotated") continue;
    settle();
    now = { ...now, state: empty() };
  }
  settle();
  return now;
}
