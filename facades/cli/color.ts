import { clean } from "./clean.ts";

const CODES = { red: 31, green: 32, yellow: 33, dim: 2, bold: 1 } as const;

/** A way to make text stand out. */
export type Style = keyof typeof CODES;

/** Text for stderr, in `style` where colours may be used there. */
export function paint(style: Style, text: string): string {
  return mayColor(Deno.stderr) ? styled(style, text) : clean(text);
}

/** A painter for stdout; it leaves text as it is where colours may not be used. */
export function painter(): (style: Style, text: string) => string {
  return mayColor(Deno.stdout) ? styled : (_style, text) => clean(text);
}

/**
 * Colours are for terminals. NO_COLOR, `--no-color` and TERM=dumb turn them
 * off; FORCE_COLOR (not 0) turns them on elsewhere too.
 */
export function mayColor(stream: { isTerminal(): boolean }): boolean {
  if (Deno.args.includes("--no-color") || Deno.env.get("NO_COLOR")) {
    return false;
  }
  const force = Deno.env.get("FORCE_COLOR");
  if (force) return force !== "0";
  return stream.isTerminal() && Deno.env.get("TERM") !== "dumb";
}

function styled(style: Style, text: string): string {
  return `\x1b[${CODES[style]}m${clean(text)}\x1b[0m`;
}
