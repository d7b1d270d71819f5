import type {
  EditorTheme,
  MarkdownTheme,
  SelectListTheme,
} from "@mariozechner/pi-tui";

/** A way to style a piece of text. */
export type Style = (text: string) => string;

/** The terminal's own 16 colours, so that the user's palette decides. */
export interface Theme {
  readonly bold: Style;
  readonly dim: Style;
  readonly italic: Style;
  readonly accent: Style;
  readonly good: Style;
  readonly bad: Style;
  readonly warn: Style;
  readonly markdown: MarkdownTheme;
  readonly list: SelectListTheme;
  readonly editor: EditorTheme;
}

/** The theme; without colour every style leaves text as it is. */
export function makeTheme(color: boolean): Theme {
  const style = (on: number, off: number): Style =>
    color ? (text) => `\x1b[${on}m${text}\x1b[${off}m` : (text) => text;
  const bold = style(1, 22);
  const dim = style(2, 22);
  const italic = style(3, 23);
  const accent = style(36, 39);
  const good = style(32, 39);
  const bad = style(31, 39);
  const warn = style(33, 39);
  const underline = style(4, 24);
  const list = {
    selectedPrefix: accent,
    selectedText: accent,
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  };
  const markdown = {
    heading: accent,
    link: underline,
    linkUrl: dim,
    code: accent,
    codeBlock: (text: string) => text,
    codeBlockBorder: dim,
    quote: italic,
    quoteBorder: dim,
    hr: dim,
    listBullet: accent,
    bold,
    italic,
    strikethrough: style(9, 29),
    underline,
  };
  return {
    bold,
    dim,
    italic,
    accent,
    good,
    bad,
    warn,
    markdown,
    list,
    editor: { borderColor: dim, selectList: list },
  };
}
