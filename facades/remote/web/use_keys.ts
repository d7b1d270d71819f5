/// <reference lib="dom" />
import { useEffect, useRef } from "preact/hooks";

/** Keys that work wherever the focus is. */
export interface Keys {
  /** Esc; undefined when there is nothing to stop. */
  readonly stop: (() => void) | undefined;
  /** Ctrl-K, or Cmd-K. */
  readonly sessions: () => void;
}

/** Listens to the page's keys; what was understood deeper in the page does not come here. */
export function useKeys(keys: Keys): void {
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { stop, sessions } = now.current;
      if (
        event.key === "Escape" && stop &&
        !document.querySelector("dialog[open]")
      ) {
        event.preventDefault();
        stop();
      } else if (
        event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)
      ) {
        event.preventDefault();
        sessions();
      }
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}
