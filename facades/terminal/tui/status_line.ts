import { type Component, visibleWidth } from "@mariozechner/pi-tui";
import type { SessionHandle } from "../../../core/handle.ts";
import { oneLine } from "../sanitize.ts";
import { clip } from "./clip.ts";
import { short } from "./spinner.ts";
import type { Theme } from "./theme.ts";

/** Model, context, approvals on the left; the conversation on the right. */
export class StatusLine implements Component {
  readonly #theme: Theme;
  readonly #session: () => SessionHandle;
  /** A hint that stands before all else, while set. */
  hint: string | undefined;

  constructor(theme: Theme, session: () => SessionHandle) {
    this.#theme = theme;
    this.#session = session;
  }

  render(width: number): string[] {
    if (this.hint !== undefined) {
      return [this.#theme.warn(clip(this.hint, width))];
    }
    const session = this.#session();
    const left = facts(session);
    const name = oneLine(session.state.title) || session.id;
    const gap = width - visibleWidth(left);
    // Too narrow for both: what changes is worth more than the name.
    const room = gap - 2;
    const right = room >= 12 ? clip(name, room) : "";
    const space = " ".repeat(Math.max(0, gap - visibleWidth(right)));
    return [this.#theme.dim(clip(left + (right && space + right), width))];
  }

  invalidate(): void {}
}

function facts({ settings, state, presence = 1 }: SessionHandle): string {
  const { model, mode } = settings;
  return [
    oneLine(model.name),
    context(model.contextWindow, state),
    mode,
    presence > 1 ? `${presence} screens` : "",
  ].filter(Boolean).join(" · ");
}

function context(
  window: number | undefined,
  { contextTokens: used }: SessionHandle["state"],
): string {
  if (!window) return used > 0 ? `${short(used)} tokens` : "";
  return `${Math.round(100 * used / window)}% of ${short(window)}`;
}
