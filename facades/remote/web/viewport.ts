/// <reference lib="dom" />

/** Less than this, in pixels, is a bar of the browser and no keyboard. */
const KEYBOARD = 120;

/**
 * Keeps the page above the keyboard of a phone. Some browsers make the page
 * smaller by themselves; others lay the keyboard over it and push it up.
 */
export function fitKeyboard(): void {
  const seen = globalThis.visualViewport;
  const fit = () => {
    if (!seen || seen.scale !== 1) return; // who zooms looks at a part
    const covered = innerHeight - seen.height;
    const { style } = document.documentElement;
    if (covered < KEYBOARD) return style.removeProperty("--height");
    style.setProperty("--height", `${seen.height}px`);
    scrollTo(0, 0);
  };
  seen?.addEventListener("resize", fit);
  seen?.addEventListener("scroll", fit);
}
