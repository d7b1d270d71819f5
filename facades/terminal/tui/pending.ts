import type { Component } from "@mariozechner/pi-tui";
import { firstLine } from "../../../core/message.ts";
import { sanitize } from "../sanitize.ts";
import { clip } from "./clip.ts";
import type { Theme } from "./theme.ts";

/** What the user sent and the record has not confirmed yet. */
export class Pending implements Component {
  readonly #theme: Theme;
  #texts: string[] = [];

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  add(text: string): void {
    this.#texts.push(text);
  }

  /** The record has it, or never will. */
  remove(text: string): void {
    const at = this.#texts.indexOf(text);
    if (at >= 0) this.#texts.splice(at, 1);
  }

  clear(): void {
    this.#texts = [];
  }

  render(width: number): string[] {
    if (this.#texts.length === 0) return [];
    const { dim } = this.#theme;
    const lines = this.#texts.slice(-5).map((text) =>
      dim(clip(`› ${sanitize(firstLine(text, 500))}`, width))
    );
    return [...lines, ""];
  }

  invalidate(): void {}
}
