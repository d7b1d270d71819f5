import { isPrompt, type SessionState } from "../fold.ts";
import { contentText, type StoredMessage } from "../message.ts";

/** Where a message holds what was looked for. */
export interface Snippet {
  readonly seq: number;
  readonly role: StoredMessage["role"];
  readonly text: string;
  /** Where the words stand in `text`, where that is known. */
  readonly marks?: readonly (readonly [number, number])[];
}

/** How well a conversation answers a search, and where. */
export interface Match {
  readonly score: number;
  readonly snippets: readonly Snippet[];
}

/**
 * Looks for all `words`, ignoring case and accents, in the title and the messages.
 * A message counts the different words it holds, squared, so that one message
 * with all of them beats many with one; a word in the title counts ten.
 * Undefined when a word is nowhere.
 */
export function matches(
  state: SessionState,
  words: readonly string[],
): Match | undefined {
  const wanted = words.map(folded);
  const title = folded(state.title);
  const missing = new Set(wanted.filter((w) => !title.includes(w)));
  let score = 10 * (wanted.length - missing.size);
  const snippets: (Snippet & { found: number })[] = [];
  for (const message of state.messages) {
    if (isPrompt(message)) continue;
    const text = contentText(message.content).normalize();
    const lower = folded(text);
    const found = wanted.filter((w) => lower.includes(w));
    if (found.length === 0) continue;
    found.forEach((w) => missing.delete(w));
    score += found.length ** 2;
    const { seq, role } = message;
    const at = Math.min(...found.map((w) => lower.indexOf(w)));
    snippets.push({
      seq,
      role,
      text: around(text, unfolded(text, lower, at)),
      found: found.length,
    });
    snippets.sort((a, b) => b.found - a.found);
    snippets.length = Math.min(snippets.length, MAX_SNIPPETS);
  }
  if (missing.size > 0) return undefined;
  return { score, snippets: snippets.map(({ found: _, ...s }) => s) };
}

/** A text as it is compared: without case and accents, and composed alike. */
export function folded(text: string): string {
  return text.toLowerCase().normalize("NFD").replaceAll(ACCENTS, "")
    .replaceAll("ς", "σ") // at the end of a word only
    .normalize();
}

// Of Latin, Greek and Cyrillic; the marks of other scripts make another letter.
const ACCENTS = /[\u0300-\u036f]/g;

// Few letters are longer or shorter folded, as "ẚ" is: where one is, places in
// the two texts differ.
function unfolded(text: string, lower: string, at: number): number {
  if (text.length === lower.length) return at;
  let [here, there] = [0, 0];
  for (const character of text) {
    if (there >= at) break;
    here += character.length;
    there += folded(character).length;
  }
  return here;
}

const MAX_SNIPPETS = 3;

function around(text: string, at: number): string {
  const from = Math.max(0, at - 40);
  const to = Math.min(text.length, at + 80);
  const piece = text.slice(from, to).replaceAll(/\s+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${piece}${to < text.length ? "…" : ""}`;
}
