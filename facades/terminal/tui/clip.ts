import {
  truncateToWidth,
  visibleWidth,
  wrapTextWithAnsi,
} from "@mariozechner/pi-tui";

/** `text` on one line of at most `width` columns. */
export function clip(text: string, width: number): string {
  return visibleWidth(text) <= width
    ? text
    : truncateToWidth(text, Math.max(1, width), width > 1 ? "…" : "");
}

/** `text` wrapped to `width`, each line after `first` or `rest`, which are equally wide. */
export function wrap(
  text: string,
  width: number,
  [first, rest]: readonly [string, string] = ["", ""],
): string[] {
  const inner = Math.max(1, width - visibleWidth(first));
  return wrapTextWithAnsi(text.replaceAll("\t", "  "), inner)
    .map((line, i) => clip((i === 0 ? first : rest) + line, width));
}

/** The first lines of a long text, cut before anything is measured. */
export function head(text: string, max: number): Part {
  const lines = text.split("\n");
  const shown = lines.slice(0, max);
  return { lines: shown, left: lines.length - shown.length };
}

/** The last lines of a long text. */
export function tail(text: string, max: number): Part {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(-max);
  return { lines: shown, left: lines.length - shown.length };
}

interface Part {
  readonly lines: readonly string[];
  /** Lines that are not shown. */
  readonly left: number;
}
