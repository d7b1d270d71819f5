import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { copyText } from "./copy_text.ts";
import { markdownBlocks } from "./markdown.ts";
import { memo } from "./memo.ts";
import { safeNodes } from "./purify.ts";

/** Markdown, also while it grows: blocks that did not change are left alone. */
export const MarkdownText = memo(({ text }: { readonly text: string }) => {
  const blocks = useMemo(() => markdownBlocks(text), [text]);
  return (
    <div class="markdown" dir="auto">
      {blocks.map((html, i) => <Block key={i} html={html} />)}
    </div>
  );
});

const Block = memo(({ html }: { readonly html: string }) => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = safeNodes(html);
    nodes.querySelectorAll("pre").forEach(addCopyButton);
    nodes.querySelectorAll("table").forEach(makeScroll);
    place.current?.replaceChildren(nodes);
  }, [html]);
  return <div class="block" ref={place} />;
});

function addCopyButton(pre: HTMLPreElement): void {
  const box = document.createElement("div");
  const bar = document.createElement("div");
  const name = document.createElement("span");
  const button = document.createElement("button");
  box.className = "code";
  bar.className = "code-bar";
  name.textContent = pre.dataset.lang ?? "";
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy code");
  button.addEventListener("click", () => {
    copyText(pre.textContent ?? "").then((done) => {
      button.textContent = done ? "Copied" : "Select and copy";
      setTimeout(() => button.textContent = "Copy", 2000);
    });
  });
  pre.tabIndex = 0; // it scrolls: the keyboard must reach it
  pre.replaceWith(box);
  bar.append(name, button);
  box.append(bar, pre);
}

function makeScroll(table: HTMLTableElement): void {
  const box = document.createElement("div");
  box.className = "table";
  box.tabIndex = 0;
  table.replaceWith(box);
  box.append(table);
}
