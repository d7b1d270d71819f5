import { type Editor, isKeyRelease, matchesKey } from "@mariozechner/pi-tui";
import type { Owner } from "./key_guard.ts";

/** How long the first Ctrl-C at an empty prompt counts. */
const AGAIN_MS = 2_000;

/** What the keys act on. */
export interface KeysInit {
  readonly editor: Pick<
    Editor,
    "getText" | "setText" | "handleInput" | "isShowingAutocomplete"
  >;
  readonly running: () => boolean;
  /** An approval, or the browser, hears the keys. */
  readonly prompting: () => "approval" | "reason" | "browser" | undefined;
  readonly cancel: () => void;
  readonly quit: () => void;
  readonly hint: (text: string | undefined) => void;
  /** A key was pressed: whose it is, while an approval hears the keys. */
  readonly pressed: () => Owner;
}

/** The keys that mean the same wherever one is: Esc, Ctrl-C, Ctrl-D. */
export class Keys {
  readonly #init: KeysInit;
  #lastInterrupt = -Infinity;

  constructor(init: KeysInit) {
    this.#init = init;
  }

  readonly listener = (data: string): { consume?: boolean } | undefined => {
    const { editor, prompting, running, cancel, quit, hint } = this.#init;
    // Some terminals tell when a key is let go: that is no second press.
    if (isKeyRelease(data)) return undefined;
    const where = prompting();
    hint(undefined);
    const owner = this.#init.pressed();
    if (owner === "message") {
      editor.handleInput(data);
      return { consume: true };
    }
    const stops = matchesKey(data, "ctrl+c") || matchesKey(data, "escape");
    if (owner === "nobody" && !stops) return { consume: true };
    if (where === "browser") return undefined;
    if (matchesKey(data, "ctrl+c")) {
      this.#interrupt();
      return { consume: true };
    }
    if (matchesKey(data, "escape") && where !== "reason") {
      if (!where && editor.isShowingAutocomplete()) return undefined;
      if (running()) cancel();
      return { consume: true };
    }
    if (matchesKey(data, "ctrl+d") && !where && editor.getText() === "") {
      quit();
      return { consume: true };
    }
    return undefined;
  };

  #interrupt(): void {
    const { editor, running, cancel, quit, hint } = this.#init;
    const now = performance.now();
    const again = now - this.#lastInterrupt < AGAIN_MS;
    this.#lastInterrupt = -Infinity;
    if (running()) return cancel();
    if (editor.getText() !== "") return editor.setText("");
    if (again) return quit();
    this.#lastInterrupt = now;
    hint("Press Ctrl-C again to quit");
  }
}
