import type { Power } from "./powers.ts";
import { replaceVariables } from "./variables.ts";

/** A power as one line, after "it may": nothing in it can move a cursor, or hide. */
export function powerLine(power: Power): string {
  return plain(wordsOf(power));
}

function wordsOf(power: Power): string {
  switch (power.type) {
    case "server":
      return serverWords(power.name, fieldsOf(power.server));
    case "mode":
      return MODES[String(power.mode)] ??
        `decide on tool calls by approvals.mode ${text(power.mode)}`;
    case "command":
      return `run \`${text(power.command)} …\` without asking`;
    case "send": {
      const variables = power.variables.map((name) => `$${name}`);
      const what = power.at[0] === "model"
        ? ["conversations", ...variables]
        : variables;
      if (what.length === 0) {
        return `use ${text(power.to)} with ${json(power.options)}`;
      }
      const how = power.options ? ` ${json(power.options)}` : "";
      return `send ${what.join(", ")} to ${text(power.to)}${how}`;
    }
    case "prompt": {
      const variables = power.variables.map((name) => `$${name}`);
      return `send ${variables.join(", ")} to the model, in its prompt`;
    }
    case "store":
      return `keep conversations in ${text(power.path)}`;
    case "expiry":
      return `remove conversations untouched for ${text(power.days)} days`;
    case "listen":
      return `serve conversations on ${text(power.host)}`;
    case "names":
      return `serve conversations under the names ${
        power.names.map(text).join(", ")
      }`;
  }
}

const MODES: Readonly<Record<string, string>> = {
  all: "run every tool call without asking",
  edit: "edit files of the project without asking",
};

function serverWords(name: string, server: Fields): string {
  const { type: _, command, args, url, ...rest } = server;
  const more = Object.entries(rest).map(([key, value]) =>
    ` (${key}: ${json(value)})`
  ).join("");
  const words = [command ?? "", ...Array.isArray(args) ? args : []].map(word);
  return url === undefined
    ? `start MCP server ${text(name)}: ${words.join(" ")}${more}`
    : `use MCP server ${text(name)}: ${text(url)}${more}`;
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? value as Fields : {};
}

// Where one word ends must be seen.
function word(value: unknown): string {
  const shown = text(value);
  return /^[^\s"'\\]+$/.test(shown) ? shown : JSON.stringify(shown);
}

function json(value: unknown): string {
  return shortened(JSON.stringify(value));
}

function text(value: unknown): string {
  return typeof value === "object" ? json(value) : shortened(String(value));
}

// `${NAME}` as people write it; a default is shown, for it may be what counts.
function shortened(value: string): string {
  return replaceVariables(
    value,
    (name, fallback, all) => fallback === undefined ? `$${name}` : all,
  );
}

function plain(line: string): string {
  return line.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}
