import { Marked, type Token, type Tokens } from "marked";
import { highlight } from "./highlight.ts";
import { clean } from "./text.ts";

/** Longest Markdown that is parsed, in UTF-16 units; what follows is shown as it is. */
const MAX_TEXT = 100_000;
/** Quotes in quotes, and lists in lists, that begin on one line. */
const MAX_DEPTH = 16;
/** Opening brackets, and runs of emphasis marks, in one block. */
const MAX_BRACKETS = 500;
const MAX_MARKS = 2_000;

const marked = new Marked({
  gfm: true,
  renderer: {
    // Raw HTML is text: a model that writes it means to show it.
    html: ({ text }) => escape(text),
    // The page's own heading stands above those of an answer.
    heading({ depth, tokens }) {
      const tag = `h${Math.min(depth + 1, 6)}`;
      return `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
    },
    code: ({ text, lang }) => codeBlock(text, lang),
    link({ href, title, tokens }) {
      const inner = this.parser.parseInline(tokens);
      return isLink(href) ? anchor(href, inner, title) : inner;
    },
    // Looking at an answer must tell nobody so: an image is a link to itself.
    image({ href, text, title }) {
      const name = escape(text || href);
      return isLink(href)
        ? anchor(href, `Image: ${name}`, title)
        : `[Image: ${name}]`;
    },
    listitem({ task, tokens }) {
      const inner = this.parser.parse(tokens);
      return `<li${task ? ' class="task"' : ""}>${inner}</li>`;
    },
    checkbox: ({ checked }) => checked ? "☑ " : "☐ ",
  },
});

/** Markdown as HTML, one text for each block, so that only what changed is drawn again. It is yet to be made safe. */
export function markdownBlocks(source: string): readonly string[] {
  const text = clean(source);
  const rest = text.slice(MAX_TEXT);
  const blocks = parse(text.slice(0, MAX_TEXT));
  return rest ? [...blocks, plain(rest)] : blocks;
}

// What a model that lost its way writes (brackets without end, quotes deeper
// than any screen) costs seconds or the stack: it is shown as it is.
function parse(text: string): readonly string[] {
  if (isTangled(text)) return [plain(text)];
  try {
    return marked.lexer(text).filter(({ type }) => type !== "space")
      .map(render);
  } catch {
    return [plain(text)];
  }
}

function render(token: Token): string {
  return marked.parser([token]);
}

function isTangled(text: string): boolean {
  return text.split(/\n\s*\n/).some((block) =>
    more(block, /\[/g, MAX_BRACKETS) || more(block, /[*_~]+/g, MAX_MARKS)
  ) || text.split("\n").some((line) =>
    more(prefix(line), />|[^\s>]+/g, MAX_DEPTH)
  );
}

// What stands before the words of a line: marks of quotes and lists.
function prefix(line: string): string {
  return /^(?:[\s>*+-]|\d{1,9}[.)])*/.exec(line)?.[0] ?? "";
}

function more(text: string, mark: RegExp, max: number): boolean {
  return (text.match(mark)?.length ?? 0) > max;
}

function codeBlock(
  text: Tokens.Code["text"],
  lang: string | undefined,
): string {
  const language = /^[\w+#.-]{1,30}/.exec(lang ?? "")?.[0] ?? "";
  const inner = highlight(text, language.toLowerCase()) ?? escape(text);
  return `<pre data-lang="${escape(language)}"><code>${inner}</code></pre>`;
}

function anchor(
  href: string,
  inner: string,
  title: string | null | undefined,
): string {
  const hint = title ? ` title="${escape(title)}"` : "";
  return `<a href="${escape(href)}"${hint}>${inner}</a>`;
}

function isLink(href: string): boolean {
  return /^(?:https?:\/\/|mailto:)/i.test(href);
}

function plain(text: string): string {
  return `<div class="plain">${escape(text)}</div>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
