import type { Redirection, SyntaxNode, Word } from "unbash";
import { forEachChild, parse } from "unbash";
import { patternOf } from "./pattern.ts";

/** One simple command. A word is undefined when what it becomes is not known before it runs. */
export interface Simple {
  readonly words: readonly (string | undefined)[];
  /** How many words at the start are written plainly: no quotes, escapes, globs or expansions. */
  readonly plain: number;
}

/** Every simple command of a shell command, or why it cannot be judged. */
export type Parsed =
  | {
    readonly commands: readonly Simple[];
    /** Every word, those of loops too, as `patternOf` gives it. */
    readonly patterns: readonly string[];
  }
  | { readonly reason: string };

const MAX_LENGTH = 10_000;

/** Takes a shell command apart. Only what is known to be harmless passes. */
export function takeApart(command: string): Parsed {
  const odd = oddity(command);
  if (odd) return { reason: odd };
  const commands: Simple[] = [];
  const patterns: string[] = [];
  let reason: string | undefined;
  try {
    visit(parse(command));
  } catch {
    reason = "cannot be parsed"; // the parser's own failure is no reason to run it
  }
  if (reason === undefined && commands.length === 0) reason = "runs nothing";
  return reason === undefined ? { commands, patterns } : { reason };

  function visit(node: SyntaxNode): void {
    reason ??= refusal(node);
    if (reason !== undefined) return;
    if (node.type === "Command") commands.push(simple(node.name, node.args));
    if (node.type === "Word") patterns.push(patternOf(node));
    forEachChild(node, visit);
  }
}

// Characters that a shell, the parser and a person may read differently.
function oddity(command: string): string | undefined {
  if (command.length > MAX_LENGTH) return "is very long";
  // deno-lint-ignore no-control-regex
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(command)) {
    return "holds control characters";
  }
  if (!command.isWellFormed() || /(?! )[\p{Z}\p{C}]/u.test(strip(command))) {
    return "holds invisible characters";
  }
  return undefined;
}

function strip(command: string): string {
  return command.replaceAll(/[\t\n]/g, " ");
}

/** Why a node cannot be allowed at all; undefined when its children decide. */
function refusal(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case "Script":
      if (node.errors?.length) return "cannot be parsed";
      if (node.source !== undefined) return "nests backticks";
      return undefined;
    case "Statement":
    case "CompoundList":
    case "AndOr":
    case "Pipeline":
    case "Negation":
    case "Subshell":
    case "BraceGroup":
    case "If":
    case "Elif":
    case "While":
    case "Redirected":
      return undefined;
    case "For":
      // A loop variable such as PATH or IFS would change what commands mean.
      return /^[a-z][a-z0-9]{0,15}$/.test(node.name.text)
        ? undefined
        : "sets a variable";
    case "Command":
      if (node.name === undefined) return "runs no command";
      return undefined;
    case "Redirect":
      return redirection(node);
    case "FileDescriptor":
    case "Word":
    case "Literal":
    case "SingleQuoted":
    case "DoubleQuoted":
    case "Glob":
    case "SimpleExpansion":
    case "BraceExpansion":
      return undefined;
    case "ParameterExpansion":
      // Operations may run code ($(( )) in a slice, ${x@P}) or assign.
      return node.prefix || node.index || node.operation
        ? "transforms a variable"
        : undefined;
    case "CommandExpansion":
      if (node.text.startsWith("`")) return "uses backticks";
      return node.script ? undefined : "cannot be parsed";
    case "Assignment":
      return "sets a variable";
    case "ProcessSubstitution":
      return "uses process substitution";
    case "Function":
      return "defines a function";
    case "HereDoc":
    case "HereString":
      return "uses a here-document";
    case "Time":
      return "runs time";
    case "Coproc":
      return "starts a coprocess";
    default:
      // Arithmetic, [[ ]], case, select, $'…', $"…", extended globs, and
      // whatever the parser learns next.
      return `uses ${words(node.type)}`;
  }
}

function redirection(node: Redirection): string | undefined {
  if (node.type !== "Redirect") return "uses a here-document";
  if (node.descriptor?.type === "FileDescriptorVariable") {
    return "sets a variable";
  }
  const target = node.target?.text;
  const duplicates = node.operator === ">&" || node.operator === "<&";
  if (duplicates && /^(?:[0-9]|-)$/.test(target ?? "")) return undefined;
  if (target === "/dev/null" && node.operator !== "<>") return undefined;
  return node.operator === "<" || node.operator === "<&"
    ? "reads a file by redirection"
    : "writes to a file by redirection";
}

function simple(
  name: Word | undefined,
  args: readonly SyntaxNode[],
): Simple {
  const all = [...(name ? [name] : []), ...args];
  const words = all.map((word) =>
    word.type === "Word" ? literal(word) : undefined
  );
  const odd = all.findIndex((word, i) =>
    word.type !== "Word" || word.text !== words[i]
  );
  return { words, plain: odd < 0 ? all.length : odd };
}

function literal(word: Word): string | undefined {
  if (/^~/.test(word.text)) return undefined; // ~+ and ~user are expansions
  return word.parts?.every(isLiteral) ?? true ? word.value : undefined;
}

function isLiteral(part: SyntaxNode): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every(isLiteral);
  return part.type === "Literal" || part.type === "SingleQuoted";
}

function words(type: string): string {
  return type.replaceAll(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`).trim();
}
