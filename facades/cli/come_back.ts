import type { Flags } from "./flags.ts";

/** What to type to come back to a conversation, before its id: `mm -C ../app --session`. */
export function comeBack(
  { cwd, config }: Pick<Flags, "cwd" | "config">,
  how = "--session",
): string {
  const where = [
    ...cwd === undefined ? [] : ["-C", word(cwd)],
    ...config === undefined ? [] : ["--config", word(config)],
  ];
  return ["mm", ...where, how].join(" ");
}

// As a shell reads it back.
function word(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
