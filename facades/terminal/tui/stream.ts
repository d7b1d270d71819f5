import { Sanitizer } from "../sanitize.ts";
import type { Answer, Block, NewBlock } from "./block.ts";
import { type Segment, Segments } from "./segments.ts";

/** One message of the model, growing: its thought, then the pieces of its answer. */
export class Stream {
  readonly id: string;
  readonly #add: (block: NewBlock) => Block;
  readonly #clean = { text: new Sanitizer(), thought: new Sanitizer() };
  readonly #segments = new Segments();
  #thought: Thought | undefined;
  #open: (Block & Answer) | undefined;
  #tight = false;
  #empty = true;

  constructor(id: string, add: (block: NewBlock) => Block) {
    this.id = id;
    this.#add = add;
  }

  /** Nothing was said yet. */
  get isEmpty(): boolean {
    return this.#empty;
  }

  thought(delta: string): void {
    const text = this.#clean.thought.push(delta);
    if (!text) return;
    this.#empty = false;
    const block = this.#thought ??= this.#add({
      type: "thought",
      text: "",
    }) as Thought;
    block.text += text;
    block.revision++;
  }

  text(delta: string): void {
    const text = this.#clean.text.push(delta);
    if (!text) return;
    this.#empty = false;
    if (this.#thought) this.#thought.done = true;
    for (const piece of this.#segments.push(text)) this.#close(piece);
    if (this.#segments.open.trim()) this.#show(this.#segments.open);
  }

  /** Nothing more will come. */
  end(): void {
    if (this.#thought) this.#thought.done = true;
    for (const piece of this.#segments.end()) this.#close(piece);
  }

  #close({ text, cut }: Segment): void {
    this.#show(text).done = true;
    this.#open = undefined;
    this.#tight = cut;
  }

  #show(text: string): Block {
    const block = this.#open ??= this.#add({
      type: "answer",
      text,
      tight: this.#tight,
    }) as Block & Answer;
    block.text = text;
    block.revision++;
    return block;
  }
}

type Thought = Block & { readonly type: "thought" };
