const EVERY_MS = 50;
const MOST = 8 * 1024;

/** Passes text on in batches; of a flood, only the newest part of each. */
export class Live implements Disposable {
  readonly #show: (text: string) => void;
  #text = "";
  #dropped = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(show: (text: string) => void) {
    this.#show = show;
  }

  add(text: string): void {
    if (text === "") return;
    this.#text += text;
    if (this.#text.length > 2 * MOST) {
      this.#text = this.#text.slice(-MOST);
      this.#dropped = true;
    }
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS);
  }

  [Symbol.dispose](): void {
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#text === "") return;
    const text = this.#dropped ? `…${this.#text.toWellFormed()}` : this.#text;
    this.#text = "";
    this.#dropped = false;
    this.#show(text);
  }
}
