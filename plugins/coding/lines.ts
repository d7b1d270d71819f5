/** Something that is read from its start on; a file handle is one. */
export interface Bytes {
  read(
    into: Uint8Array,
    at: number,
    length: number,
    position: null,
  ): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** A text, to be read like a file. */
export function bytesOf(text: string): Bytes {
  let rest = new TextEncoder().encode(text);
  return {
    read(into, at, length) {
      const part = rest.subarray(0, length);
      rest = rest.subarray(part.length);
      into.set(part, at);
      return Promise.resolve({ bytesRead: part.length });
    },
    close: () => Promise.resolve(),
  };
}

/** A run of lines of a file. */
export interface Lines {
  readonly lines: readonly Line[];
  /** True when the last line of the file was reached. */
  readonly ended: boolean;
  /** Lines seen, from the first one of the file. */
  readonly seen: number;
}

/** One line without its end; `cut` when there was more of it than kept. */
export interface Line {
  readonly bytes: Uint8Array;
  readonly cut: boolean;
}

/** What to take: `skip` lines pass first; `bytes` and `lines` bound the rest, `width` each line. */
export interface Bounds {
  readonly skip: number;
  readonly lines: number;
  readonly bytes: number;
  readonly width: number;
}

const LF = 10;

/** Takes lines from a stream of any size, holding only those. */
export async function takeLines(
  file: Pick<Bytes, "read">,
  bounds: Bounds,
  signal: AbortSignal,
): Promise<Lines> {
  const taken = new Taken(bounds);
  const chunk = new Uint8Array(1024 * 1024);
  while (true) {
    signal.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) return taken.end(true);
    if (taken.add(chunk.subarray(0, bytesRead))) return taken.end(false);
  }
}

class Taken {
  readonly #bounds: Bounds;
  #lines: Line[] = [];
  #seen = 0; // whole lines, skipped ones too
  #size = 0;
  #held = new Uint8Array(0);
  #cut = false;
  #open = false; // bytes came after the last newline
  #binary = false; // a NUL came: what follows is not worth reading

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /** True when there is more than may be taken. */
  add(chunk: Uint8Array): boolean {
    let from = 0;
    while (from < chunk.length) {
      if (this.#full()) return true;
      const end = chunk.indexOf(LF, from);
      this.#hold(chunk.subarray(from, end < 0 ? chunk.length : end));
      if (end < 0) {
        this.#open = true;
        return this.#binary;
      }
      this.#close();
      from = end + 1;
    }
    return false;
  }

  end(ended: boolean): Lines {
    if ((ended || this.#binary) && this.#open) this.#close();
    return { lines: this.#lines, ended, seen: this.#seen };
  }

  #full(): boolean {
    const { lines, bytes } = this.#bounds;
    return this.#lines.length >= lines || this.#size >= bytes;
  }

  #hold(part: Uint8Array): void {
    if (this.#seen < this.#bounds.skip) return;
    const room = this.#bounds.width - this.#held.length;
    if (part.length > room) this.#cut = true;
    if (room <= 0 || part.length === 0) return;
    this.#binary ||= part.subarray(0, room).includes(0);
    const joined = new Uint8Array(
      this.#held.length + Math.min(room, part.length),
    );
    joined.set(this.#held);
    joined.set(part.subarray(0, room), this.#held.length);
    this.#held = joined;
  }

  #close(): void {
    if (this.#seen++ >= this.#bounds.skip) {
      this.#lines.push({ bytes: this.#held, cut: this.#cut });
      this.#size += this.#held.length + 1;
    }
    this.#held = new Uint8Array(0);
    this.#cut = this.#open = false;
  }
}
