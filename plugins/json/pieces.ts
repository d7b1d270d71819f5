import type { StoredMessage } from "../../core/message.ts";
import { serialise } from "./serialise.ts";
import { splitLines } from "./split.ts";

/** Neighbouring messages and their lines in the file, joined by `,` and line ends. */
interface Block {
  readonly messages: readonly StoredMessage[];
  readonly bytes: Uint8Array;
}

/**
 * The bytes of messages, kept as long as the messages themselves. Messages
 * never change and most stay where they are, so saving copies a few blocks
 * and serialises only what is new.
 */
export class Pieces {
  readonly #blocks = new WeakMap<StoredMessage, Block>();
  readonly #lines = new WeakMap<StoredMessage, Uint8Array>();
  readonly #encoder = new TextEncoder();

  /** Remembers the bytes that messages were read from. */
  keep(messages: readonly StoredMessage[], bytes: Uint8Array): void {
    const block = { messages, bytes };
    for (const message of messages) this.#blocks.set(message, block);
  }

  /** The lines of `messages`, several at a time; between two parts belongs `,` and a line end. */
  *parts(messages: readonly StoredMessage[]): Generator<Uint8Array> {
    let run: StoredMessage[] = [];
    let size = 0;
    for (let i = 0; i < messages.length;) {
      const block = this.#blockAt(messages, i);
      if (run.length > 0 && (block || size >= BLOCK_BYTES)) {
        yield this.#join(run);
        [run, size] = [[], 0];
      }
      if (block) {
        yield block.bytes;
        i += block.messages.length;
        continue;
      }
      const message = messages[i++];
      if (!message) break;
      size += this.#line(message).length;
      run.push(message);
    }
    if (run.length > 0) yield this.#join(run);
  }

  // Small ones are joined with their neighbours: there would soon be one for each turn.
  #blockAt(
    messages: readonly StoredMessage[],
    at: number,
  ): Block | undefined {
    const first = messages[at];
    const block = first && this.#blocks.get(first);
    if (!block || block.bytes.length < SMALL_BYTES) return undefined;
    return block.messages.every((m, i) => messages[at + i] === m)
      ? block
      : undefined;
  }

  #join(messages: readonly StoredMessage[]): Uint8Array {
    const lines = messages.map((m) => this.#line(m));
    const bytes = joined(lines);
    this.keep(messages, bytes);
    for (const message of messages) this.#lines.delete(message);
    return bytes;
  }

  #line(message: StoredMessage): Uint8Array {
    const block = this.#lines.has(message)
      ? undefined
      : this.#blocks.get(message);
    if (block) this.#cut(block);
    const line = this.#lines.get(message) ??
      this.#encoder.encode(serialise(message));
    this.#lines.set(message, line);
    return line;
  }

  #cut({ messages, bytes }: Block): void {
    const lines = splitLines(bytes);
    for (const [i, message] of messages.entries()) {
      const line = lines[i];
      if (line) this.#lines.set(message, line);
    }
  }
}

const BLOCK_BYTES = 1024 ** 2;
const SMALL_BYTES = 64 * 1024;
const SEPARATOR = new TextEncoder().encode(",\n");

function joined(lines: readonly Uint8Array[]): Uint8Array {
  const size = lines.reduce((sum, line) => sum + line.length, 0);
  const gaps = Math.max(0, lines.length - 1) * SEPARATOR.length;
  const bytes = new Uint8Array(size + gaps);
  let at = 0;
  for (const line of lines) {
    if (at > 0) {
      bytes.set(SEPARATOR, at);
      at += SEPARATOR.length;
    }
    bytes.set(line, at);
    at += line.length;
  }
  return bytes;
}
