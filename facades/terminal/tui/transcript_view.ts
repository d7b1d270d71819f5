import type { Component } from "@mariozechner/pi-tui";
import type { Block } from "./block.ts";
import { blockLines } from "./block_lines.ts";
import type { Theme } from "./theme.ts";

interface Cached {
  readonly revision: number;
  readonly width: number;
  readonly lines: readonly string[];
}

/** Draws the blocks. What is still changing never grows taller than `room` lines. */
export class TranscriptView implements Component {
  readonly #blocks: Block[];
  readonly #theme: Theme;
  readonly #room: () => number;
  readonly #cache = new WeakMap<Block, Cached>();
  /** Where each block's own lines began in the last drawing. */
  #starts: number[] = [];
  /** An empty line parts it from what stands below. */
  apart = true;

  constructor(blocks: Block[], theme: Theme, room: () => number) {
    this.#blocks = blocks;
    this.#theme = theme;
    this.#room = room;
  }

  render(width: number): string[] {
    const lines: string[] = [];
    this.#starts = [];
    for (const block of this.#blocks) {
      const own = this.#lines(block, width);
      if (own.length > 0 && lines.length > 0 && !isTight(block)) lines.push("");
      this.#starts.push(lines.length);
      for (const line of own) lines.push(line);
    }
    if (lines.length > 0 && this.apart) lines.push("");
    return lines;
  }

  invalidate(): void {}

  /**
   * Forgets the blocks that lie wholly above line `top` of the last drawing:
   * the terminal keeps them. Returns how many lines those were.
   */
  forget(top: number): number {
    let n = 0;
    while (n + 1 < this.#starts.length && this.#blocks[n]?.done) {
      if ((this.#starts[n + 1] ?? Infinity) > top) break;
      n++;
    }
    const lines = this.#starts[n] ?? 0;
    if (n === 0 || lines === 0) return 0;
    this.#blocks.splice(0, n);
    this.#starts = [];
    return lines;
  }

  #lines(block: Block, width: number): readonly string[] {
    const known = this.#cache.get(block);
    if (known?.width === width && known.revision === block.revision) {
      return this.#cut(block, known.lines);
    }
    const lines = blockLines(block, width, this.#theme);
    const { revision } = block;
    this.#cache.set(block, { revision, width, lines });
    return this.#cut(block, lines);
  }

  // Lines above the screen cannot be drawn again, so what changes stays on it.
  #cut(block: Block, lines: readonly string[]): readonly string[] {
    if (block.done) return lines;
    const room = Math.max(3, this.#room());
    return lines.length <= room ? lines : lines.slice(-room);
  }
}

function isTight(block: Block): boolean {
  return block.type === "answer" && block.tight;
}
