// deno-lint-ignore-file no-control-regex -- finding them is the point

/** Escape sequences of terminals: commands print them. */
const ESCAPES =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]?|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)?|[ -/]*[0-~]?)/g;

/** What no text needs: control characters, and the marks that reorder text. */
const UNSAFE =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text without what is not meant for eyes. Line ends become LF. */
export function clean(text: string): string {
  return text.replaceAll(ESCAPES, "").replaceAll(/\r\n?/g, "\n")
    .replaceAll(UNSAFE, "");
}

/** A clean text on one line: titles, names of files. */
export function oneLine(text: string): string {
  return clean(text).replaceAll(/\s*\n\s*|\t/g, " ").trim();
}

/** A text with what would be hidden made visible: for what is to be approved. */
export function reveal(text: string): string {
  return text.replaceAll(/\r\n/g, "\n").replaceAll(
    UNSAFE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ).replaceAll("\r", "\\r");
}

/** `1 line`, `2 lines`. */
export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

/** The end of a text that is too long to show, from the start of a line on. */
export function tail(text: string, max: number): { text: string; cut: number } {
  if (text.length <= max) return { text, cut: 0 };
  const from = text.length - max;
  const line = text.indexOf("\n", from);
  const start = line === -1 || line > from + max / 2 ? from : line + 1;
  return { text: text.slice(start), cut: start };
}
