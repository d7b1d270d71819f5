import { useCallback, useState } from "preact/hooks";
import type { Note, View } from "../client/view.ts";

/** Lines of this page that are kept beside one session. */
const MAX_NOTES = 100;

/** The lines that this page puts beside the sessions, and how to add one. */
export function useNotes(
  view: View | undefined,
): [readonly Note[], (session: string, note: Note) => void] {
  const [all, setAll] = useState<Readonly<Record<string, readonly Note[]>>>({});
  const add = useCallback((session: string, note: Note) =>
    setAll((all) => ({
      ...all,
      [session]: [...all[session] ?? [], note].slice(-MAX_NOTES),
    })), []);
  return [view && all[view.session] || NONE, add];
}

const NONE: readonly Note[] = [];
