import { firstLine } from "../../core/message.ts";

/** The FTS5 query for a person's words: every one must occur, and none is an operator. */
export function matchQuery(text: string): string {
  return words(text).map((word) => `"${word.replaceAll(`"`, `""`)}"`).join(" ");
}

/** A part of `text` around the first of the words, and where they stand in it. */
export function snippetOf(
  text: string,
  query: string,
): {
  readonly snippet: string;
  readonly marks: readonly (readonly [number, number])[];
} {
  const pattern = patternOf(query);
  const flat = text.replaceAll(/\s+/g, " ").trim();
  const at = pattern ? flat.search(pattern) : -1;
  const start = startOfWord(flat, Math.max(0, at - BEFORE));
  const lead = start > 0 ? "…" : "";
  const snippet = lead + firstLine(flat.slice(start), LENGTH);
  const found = pattern ? [...snippet.matchAll(pattern)] : [];
  return {
    snippet,
    marks: found.map(({ index, 0: word }) => [index, index + word.length]),
  };
}

const BEFORE = 40;
const LENGTH = 160;

function startOfWord(text: string, at: number): number {
  if (at === 0) return 0;
  return text.lastIndexOf(" ", at) + 1;
}

// The index compares stems without accents; a common beginning is near enough to show it.
function patternOf(query: string): RegExp | undefined {
  const parts = words(query)
    .flatMap((word) => word.match(/[\p{L}\p{N}]+/gu) ?? [])
    .map((word) => `${stem(word)}[\\p{L}\\p{N}]*`);
  return parts.length === 0
    ? undefined
    : new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join("|")})`, "giu");
}

function stem(word: string): string {
  return word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word;
}

function words(text: string): readonly string[] {
  return text.replaceAll("\0", " ").toWellFormed().split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);
}

const MAX_WORDS = 64;
