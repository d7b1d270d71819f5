import { matchesKey } from "@mariozechner/pi-tui";
import { clip, wrap } from "./clip.ts";
import type { Style } from "./theme.ts";

/** Screen lines that are shown at once. */
const MAX_ROWS = 16;

/** A text of which a part is shown; the arrows move it. */
export class LongText {
  readonly #text: string;
  #lines = 0; // in the last drawing
  #top = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** There was more than was drawn. */
  get isCut(): boolean {
    return this.#lines > MAX_ROWS;
  }

  /** Moves by a key; false when the key means nothing here. */
  scroll(data: string): boolean {
    if (!this.isCut) return false;
    const by = movement(data);
    if (by === undefined) return false;
    const last = this.#lines - MAX_ROWS;
    this.#top = Math.max(0, Math.min(last, this.#top + by));
    return true;
  }

  render(width: number, dim: Style): string[] {
    if (!this.#text) return [];
    const all = wrap(this.#text, width, ["    ", "    "]);
    this.#lines = all.length;
    const end = this.#top + MAX_ROWS;
    const more = (n: number, where: string) =>
      n > 0 ? [dim(clip(`    … ${n} more lines${where}`, width))] : [];
    return [
      ...more(this.#top, " above"),
      ...all.slice(this.#top, end),
      ...more(all.length - end, ""),
    ];
  }
}

function movement(data: string): number | undefined {
  if (matchesKey(data, "up")) return -1;
  if (matchesKey(data, "down")) return 1;
  if (matchesKey(data, "pageUp")) return -MAX_ROWS;
  if (matchesKey(data, "pageDown")) return MAX_ROWS;
  if (matchesKey(data, "home")) return -Infinity;
  if (matchesKey(data, "end")) return Infinity;
  return undefined;
}
