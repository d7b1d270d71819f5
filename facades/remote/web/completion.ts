import type { CommandInfo } from "../wire.ts";

/** What this page runs itself. */
export const OWN_COMMANDS: readonly CommandInfo[] = [
  { name: "help", summary: "List the commands and keys" },
  { name: "new", summary: "Start a new conversation" },
  { name: "sessions", summary: "Find a conversation" },
];

/** All that may be typed: the page's own, then the server's. */
export function allCommands(
  served: readonly CommandInfo[],
): readonly CommandInfo[] {
  const own = new Set(OWN_COMMANDS.map(({ name }) => name));
  return [...OWN_COMMANDS, ...served.filter(({ name }) => !own.has(name))]
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The commands that what was typed may become; none once a name is complete. */
export function completions(
  text: string,
  commands: readonly CommandInfo[],
): readonly CommandInfo[] {
  const typed = /^\/([\w-]*)$/.exec(text)?.[1];
  if (typed === undefined) return [];
  const starts = commands.filter(({ name }) => name.startsWith(typed));
  const holds = commands.filter((c) =>
    !starts.includes(c) && c.name.includes(typed)
  );
  return [...starts, ...holds];
}

/** The command that a text names. */
export function commandIn(
  text: string,
): { name: string; args: string } | undefined {
  const [, name, args = ""] = /^\/([\w-]+)\s*([^]*)$/.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, args };
}
