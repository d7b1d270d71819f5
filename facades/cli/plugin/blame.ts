/** The plugins from outside that were imported: the addresses of their code, and their names. */
const imported = new Map<string, string>();

/** Remembers where the code of a plugin stands. */
export function rememberCode(url: string, name: string): void {
  imported.set(url, name);
}

/** The plugin whose code an error passed through; undefined when there is none. */
export function blamed(error: unknown): string | undefined {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return [...imported].find(([url]) => stack.includes(url))?.[1];
}

/** The names of the plugins from outside that were imported. */
export function importedPlugins(): readonly string[] {
  return [...imported.values()];
}
