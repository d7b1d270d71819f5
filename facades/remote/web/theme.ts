/// <reference lib="dom" />
import { forever } from "./page_store.ts";

const KEY = "mm.theme";

/** What the page looks like: as the system says, or as it was chosen here. */
export type Theme = "auto" | "light" | "dark";

/** The theme that was chosen. */
export function readTheme(): Theme {
  const stored = forever.get(KEY);
  return stored === "light" || stored === "dark" ? stored : "auto";
}

/** Shows a theme, and keeps it for the next visit. */
export function showTheme(theme: Theme): void {
  forever.set(KEY, theme);
  document.documentElement.dataset.theme = theme;
  for (
    const meta of document.querySelectorAll<HTMLMetaElement>(
      'meta[name="theme-color"]',
    )
  ) {
    const own = meta.media.includes("dark") ? "dark" : "light";
    meta.content = COLORS[theme === "auto" ? own : theme];
  }
}

/** The one after `theme`. */
export function nextTheme(theme: Theme): Theme {
  return theme === "auto" ? "light" : theme === "light" ? "dark" : "auto";
}

const COLORS = { light: "#ffffff", dark: "#16181d" };
