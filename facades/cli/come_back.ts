import type { Flags } from "./flags.ts";

/** What to type to come back to a conversation, before its id: `mm -C ../app --session`. */
export function comeBack(
  { cwd, config }: Pick<Flags, "cwd" | "config">,
  how = "--session",
): string {
  const where = [
    ...cwd === undefined ? [] : ["-C", shellWord(cwd)],
    ...config === undefined ? [] : ["--config", shellWord(config)],
  ];
  return ["mm", ...where, how].join(" ");
}

/** A word as a shell reads it back. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
