import type { EditorFiles } from "../../core/tool.ts";
import type { Peer } from "./peer.ts";

/** The client's files, as far as it offers them; undefined when it offers none. */
export function editorFiles(
  peer: Peer,
  sessionId: () => string,
): EditorFiles | undefined {
  const { readTextFile, writeTextFile } = peer.capabilities.fs ?? {};
  if (!readTextFile && !writeTextFile) return undefined;
  return {
    ...(readTextFile && {
      read: (path: string, signal: AbortSignal) =>
        // An editor that never answers must not hold up the turn: the disk is there.
        peer.readFile(
          sessionId(),
          path,
          AbortSignal.any([signal, AbortSignal.timeout(READ_MS)]),
        ),
    }),
    ...(writeTextFile && {
      write: (path: string, text: string, signal: AbortSignal) =>
        peer.writeFile(sessionId(), path, text, signal),
    }),
  };
}

const READ_MS = 5000;
