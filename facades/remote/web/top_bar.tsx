import { useState } from "preact/hooks";
import type { View } from "../client/view.ts";
import { Icon } from "./icon.tsx";
import { count, oneLine } from "./text.ts";
import { nextTheme, readTheme, showTheme } from "./theme.ts";

/** The conversation's name and settings; the ways to the others. */
export function TopBar({ view, menu }: {
  readonly view: View | undefined;
  /** Opens the list of conversations; undefined where it is always there. */
  readonly menu: (() => void) | undefined;
}) {
  const presence = view?.presence ?? 0;
  return (
    <header class="top">
      {menu && (
        <button
          type="button"
          class="plain"
          aria-label="Conversations"
          title="Conversations (Ctrl+K)"
          onClick={menu}
        >
          <Icon name="menu" />
        </button>
      )}
      <div class="top-names">
        <h1 dir="auto">
          {oneLine(view?.state.title ?? "") || "New conversation"}
        </h1>
        <p>{facts(view)}</p>
      </div>
      {presence > 1 && (
        <span
          class="presence"
          title={`${presence} screens show this conversation`}
        >
          <Icon name="people" />
          <span aria-hidden="true">{presence}</span>
          <span class="visually-hidden">
            {count(presence, "screen")} attached
          </span>
        </span>
      )}
      <ThemeButton />
    </header>
  );
}

function ThemeButton() {
  const [theme, setTheme] = useState(readTheme);
  const change = () => {
    const next = nextTheme(theme);
    showTheme(next);
    setTheme(next);
  };
  const label = `Theme: ${theme === "auto" ? "as the system" : theme}`;
  return (
    <button
      type="button"
      class="plain"
      aria-label={label}
      title={label}
      onClick={change}
    >
      <Icon name="theme" />
    </button>
  );
}

function facts(view: View | undefined): string {
  if (!view?.info) return "";
  const { model, mode, contextWindow } = view.info;
  const { contextTokens } = view.state;
  const context = contextWindow
    ? `${Math.round(100 * contextTokens / contextWindow)}% of ${
      short(contextWindow)
    }`
    : contextTokens > 0
    ? `${short(contextTokens)} tokens`
    : "";
  return [oneLine(model), context, `approvals: ${mode}`].filter(Boolean)
    .join(" · ");
}

function short(n: number): string {
  return n < 1000 ? String(n) : `${Math.round(n / 1000)}k`;
}
