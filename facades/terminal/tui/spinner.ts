import type { Component } from "@mariozechner/pi-tui";
import { clip } from "./clip.ts";
import type { Theme } from "./theme.ts";

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const INTERVAL_MS = 120;
/** Tokens are counted by the server, at the end; until then, four characters make one. */
const CHARS_PER_TOKEN = 4;

/** Shows that something runs, since when, and how much came. */
export class Spinner implements Component {
  readonly #theme: Theme;
  readonly #draw: () => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #started = 0;
  #activity = "";
  #chars = 0;
  /** Said instead of the activity, while set. */
  waitsFor: string | undefined;

  constructor(theme: Theme, draw: () => void) {
    this.#theme = theme;
    this.#draw = draw;
  }

  get running(): boolean {
    return this.#timer !== undefined;
  }

  start(activity = "working"): void {
    this.#activity = activity;
    if (this.#timer !== undefined) return;
    this.#started = performance.now();
    this.#chars = 0;
    this.#timer = setInterval(this.#draw, INTERVAL_MS);
    this.#draw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#draw();
  }

  /** Counts what the model said. */
  count(text: string): void {
    this.#chars += text.length;
  }

  render(width: number): string[] {
    if (!this.running) return [];
    const ms = performance.now() - this.#started;
    const frame = FRAMES[Math.floor(ms / INTERVAL_MS) % FRAMES.length];
    const tokens = Math.round(this.#chars / CHARS_PER_TOKEN);
    const parts = [
      elapsed(ms),
      ...tokens > 0 ? [`~${short(tokens)} tokens`] : [],
      "esc to cancel",
    ];
    const what = this.waitsFor ?? capital(this.#activity);
    const { accent, dim } = this.#theme;
    return [
      clip(`${accent(frame ?? "")} ${what} ${dim(parts.join(" · "))}`, width),
    ];
  }

  invalidate(): void {}
}

/** 950, 1.2k, 34k, 1.1M. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 999_500) {
    const k = n < 9950 ? (n / 1000).toFixed(1) : String(Math.round(n / 1000));
    return `${k.replace(/\.0$/, "")}k`;
  }
  return `${(n / 1_000_000).toFixed(1)}M`;
}

function elapsed(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60
    ? `${seconds}s`
    : `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
