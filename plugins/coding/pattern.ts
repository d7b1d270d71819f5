import type { Word, WordPart } from "unbash";

/**
 * A word as what its unquoted `*`, `?`, `{`, `}` and `,` make of it; a bracket
 * is a `*`, what is quoted is no wildcard. Variables and substitutions count as
 * empty: what they hold is not known.
 */
export function patternOf({ parts, value }: Word): string {
  return parts ? parts.map(partOf).join("") : plain(value);
}

function partOf(part: WordPart): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return plain(part.value);
    case "DoubleQuoted":
      return part.parts.map(partOf).join("");
    case "Glob":
      return part.kind === "bracket" ? "*" : part.value;
    case "BraceExpansion":
      // The parser leaves it whole.
      return part.text
        .replaceAll(
          /"([^"]*)"|'([^']*)'|\\(.)/gs,
          (_, a, b, c) => plain(a ?? b ?? c),
        )
        .replaceAll(/\$(?:\w+|\{\w+\})/g, "")
        .replaceAll(/\[[^,{}]*\]/g, "*");
    default:
      return "";
  }
}

function plain(text: string): string {
  return text.replaceAll(/[*?{},[\]]/g, "_");
}
