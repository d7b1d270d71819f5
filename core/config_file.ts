import {
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  YAMLParseError,
} from "yaml";
import {
  checkConfig,
  type Config,
  configMessage,
  type ConfigSource,
} from "./config.ts";
import { ConfigError, errorLine } from "./error.ts";
import { firstLine } from "./message.ts";
import { isSecretName, replaceVariables } from "./variables.ts";

/** Longest agent.yaml read, in UTF-16 units. */
const MAX_LENGTH = 256 * 1024;

/** Deepest nesting of its values; nothing in it needs a tenth of that. */
const MAX_DEPTH = 100;

/** A configuration and where each of its keys stands. */
export interface ConfigFile {
  readonly config: Config;
  readonly source: ConfigSource;
  /** Its values as they are written, before the environment has filled them in. */
  readonly written: unknown;
}

/**
 * Reads the text of an agent.yaml: YAML 1.2, `${NAME}` and `${NAME:-default}`
 * taken from the environment (`$${` is a plain `${`). Throws a ConfigError that
 * names file, line, key and what was expected.
 */
export function readConfig(
  text: string,
  file: string,
  env: (name: string) => string | undefined,
): ConfigFile {
  if (text.length > MAX_LENGTH) {
    throw new ConfigError(
      `Cannot read ${file}: it is longer than ${MAX_LENGTH} characters`,
    );
  }
  const lines = new LineCounter();
  const document = parse(text, file, lines);
  const source: ConfigSource = {
    file,
    line: (path) => lineOf(document, lines, path),
  };
  const value = toValue(document, file);
  if (value === null) {
    return { config: checkConfig({}, source), source, written: {} };
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    throw new ConfigError(
      `Cannot read ${file}: expected keys such as "model:" at the top level`,
    );
  }
  const written = mapTexts(value, [], source, (text) => text);
  const filled = mapTexts(
    written,
    [],
    source,
    (text, path) => fillIn(text, path, source, env),
  );
  return { config: checkConfig(filled, source), source, written };
}

type Document = ReturnType<typeof parseDocument>;

function parse(text: string, file: string, lines: LineCounter): Document {
  let document: Document;
  try {
    document = parseDocument(text.replace(/^\ufeff/, ""), {
      lineCounter: lines,
      prettyErrors: false,
      logLevel: "error", // warnings would go to stderr by themselves
    });
  } catch (error) {
    throw new ConfigError(`Cannot read ${file}: ${reason(error)}`, {
      cause: error,
    });
  }
  const [wrong] = document.errors;
  if (!wrong) return document;
  const { line } = lines.linePos(wrong.pos[0]);
  throw new ConfigError(`Cannot read ${file}:${line}: ${reason(wrong)}`, {
    cause: wrong,
  });
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new ConfigError(`Cannot read ${file}: ${reason(error)}`, {
      cause: error,
    });
  }
}

// The parser's own words, which may quote the text they are about, but for
// those that speak to a programmer.
function reason(error: unknown): string {
  if (error instanceof YAMLParseError && error.code === "MULTIPLE_DOCS") {
    return 'it goes on after a line "---" or "...": remove that line';
  }
  const line = firstLine(errorLine(error), 200);
  return line.includes("call stack") ? TOO_DEEP : line;
}

const TOO_DEEP = "it is nested too deeply";

function lineOf(
  document: Document,
  lines: LineCounter,
  path: readonly PropertyKey[],
): number | undefined {
  // The key itself where there is one, else the nearest thing around it.
  for (let depth = path.length; depth > 0; depth--) {
    const parent = depth === 1
      ? document.contents
      : document.getIn(path.slice(0, depth - 1), true);
    const last = path[depth - 1];
    const pair = isMap(parent)
      ? parent.items.find((p) => isScalar(p.key) && p.key.value === last)
      : undefined;
    const node = pair?.key ?? document.getIn(path.slice(0, depth), true);
    const range = (node as { range?: readonly number[] } | undefined)?.range;
    if (range?.[0] !== undefined) return lines.linePos(range[0]).line;
  }
  return undefined;
}

// Also makes plain objects of what a tag made of the text: dates, sets.
function mapTexts(
  value: unknown,
  path: readonly PropertyKey[],
  source: ConfigSource,
  change: (text: string, path: readonly PropertyKey[]) => string,
): unknown {
  if (path.length > MAX_DEPTH) {
    throw new ConfigError(`Cannot read ${source.file}: ${TOO_DEEP}`);
  }
  if (typeof value === "string") return change(value, path);
  if (Array.isArray(value)) {
    return value.map((v, i) => mapTexts(v, [...path, i], source, change));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map((
      [k, v],
    ) => [k, mapTexts(v, [...path, k], source, change)]),
  );
}

function fillIn(
  text: string,
  path: readonly PropertyKey[],
  source: ConfigSource,
  env: (name: string) => string | undefined,
): string {
  return replaceVariables(text, (name, fallback, all) => {
    const found = env(name) || fallback;
    if (found !== undefined) return found;
    // Nobody is advised to write a secret into a file.
    const wayOut = isSecretName(name)
      ? "set it"
      : `set it, or write ${all.slice(0, -1)}:-default}`;
    const problem = `the environment variable ${name} is not set: ${wayOut}`;
    throw new ConfigError(configMessage(source, path, problem));
  });
}
