import { ProcessTerminal, type TUI } from "@mariozechner/pi-tui";

/** The terminal, whose scrollback belongs to the user: a redraw never erases it. */
export class CalmTerminal extends ProcessTerminal {
  override write(data: string): void {
    super.write(data.replaceAll("\x1b[3J", ""));
  }

  override stop(): void {
    try {
      super.stop();
    } catch {
      // Its modes went with it when it was closed.
    }
  }
}

/**
 * Lets the screen forget its first lines once they scrolled away, so that a
 * long conversation costs no more than a short one. `forget` is given the
 * first visible line and answers how many lines before it are gone. It rests
 * on how pi-tui counts lines, and does nothing should that have changed.
 */
export function forgetScrolled(
  tui: TUI,
  forget: (top: number) => number,
): void {
  const frame = tui as unknown as Frame;
  const counters = [
    "cursorRow",
    "hardwareCursorRow",
    "maxLinesRendered",
    "previousViewportTop",
  ] as const;
  const known = Array.isArray(frame.previousLines) &&
    counters.every((key) => typeof frame[key] === "number");
  if (!known || frame.previousViewportTop === 0) return;
  const gone = forget(frame.previousViewportTop);
  if (gone === 0) return;
  frame.previousLines = frame.previousLines.slice(gone);
  for (const key of counters) frame[key] -= gone;
}

interface Frame {
  previousLines: string[];
  cursorRow: number;
  hardwareCursorRow: number;
  maxLinesRendered: number;
  previousViewportTop: number;
}
