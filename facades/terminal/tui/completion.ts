import type {
  AutocompleteItem,
  AutocompleteProvider,
  AutocompleteSuggestions,
} from "@mariozechner/pi-tui";
import type { CommandHost } from "../../../core/command.ts";
import { isId } from "../../../core/id.ts";
import { oneLine } from "../sanitize.ts";
import type { ProjectFiles } from "./project_files.ts";

/** Completes commands, their arguments (on Tab), and @paths. */
export class Completion implements AutocompleteProvider {
  readonly #host: CommandHost;
  readonly #files: ProjectFiles;

  constructor(host: CommandHost, files: ProjectFiles) {
    this.#host = host;
    this.#files = files;
  }

  async getSuggestions(
    lines: string[],
    line: number,
    column: number,
    { signal, force }: { signal: AbortSignal; force?: boolean },
  ): Promise<AutocompleteSuggestions | null> {
    const before = (lines[line] ?? "").slice(0, column);
    try {
      const found = await this.#suggest(before, line === 0, force ?? false);
      return signal.aborted || found?.items.length === 0 ? null : found;
    } catch {
      return null; // a server that cannot be asked completes nothing
    }
  }

  applyCompletion(
    lines: string[],
    line: number,
    column: number,
    item: AutocompleteItem,
    prefix: string,
  ): { lines: string[]; cursorLine: number; cursorCol: number } {
    const text = lines[line] ?? "";
    const before = text.slice(0, column - prefix.length);
    const space = item.value.endsWith("/") ? "" : " ";
    const changed = before + item.value + space;
    return {
      lines: lines.with(line, changed + text.slice(column).trimStart()),
      cursorLine: line,
      cursorCol: changed.length,
    };
  }

  async #suggest(
    before: string,
    isFirst: boolean,
    force: boolean,
  ): Promise<AutocompleteSuggestions | null> {
    const path = /(?:^|\s)@(\S*)$/.exec(before);
    if (path) return await this.#paths(path[1] ?? "");
    if (!isFirst) return null;
    const command = /^\/([\w-]*)$/.exec(before);
    if (command) return this.#commands(command[1] ?? "");
    const args = /^\/([\w-]+)\s+(.*)$/.exec(before);
    // Arguments only when asked for: Enter must send what was typed.
    if (!args || !force) return null;
    return await this.#arguments(args[1] ?? "", args[2] ?? "");
  }

  #commands(prefix: string): AutocompleteSuggestions {
    const items = this.#host.agent.commands
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ name, hint, summary }) => ({
        value: `/${name}`,
        label: `/${name}${hint ? ` ${hint}` : ""}`,
        description: summary,
      }));
    return { items, prefix: `/${prefix}` };
  }

  async #arguments(
    name: string,
    prefix: string,
  ): Promise<AutocompleteSuggestions | null> {
    const command = this.#host.agent.commands.find((c) => c.name === name);
    const values = await command?.complete?.(prefix, this.#host);
    if (!values) return null;
    const titles = values.some(isId) ? await this.#titles() : new Map();
    const items = values.slice(0, 100).map((value) => ({
      value,
      label: value,
      ...(titles.has(value) && { description: titles.get(value) }),
    }));
    return { items, prefix };
  }

  async #titles(): Promise<ReadonlyMap<string, string>> {
    const { items } = await this.#host.agent.list({ limit: 50 });
    return new Map(items.map((s) => [s.id, oneLine(s.title)]));
  }

  async #paths(prefix: string): Promise<AutocompleteSuggestions> {
    const paths = await this.#files.find(prefix);
    const items = paths.filter((path) => !/\s/.test(path)).map((path) => ({
      value: `@${path}`,
      label: oneLine(path),
    }));
    return { items, prefix: `@${prefix}` };
  }
}
