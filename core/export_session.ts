import type { ExportFormat } from "./export.ts";
import type { SessionState } from "./fold.ts";
import { inOrder } from "./in_order.ts";
import { contentText, firstLine } from "./message.ts";
import { replay, type ReplayItem } from "./replay.ts";

/** A conversation as one document. JSON is the state whole; the others show what a replay shows. */
export function exportSession(
  id: string,
  state: SessionState,
  format: ExportFormat,
): string {
  switch (format) {
    case "json":
      return JSON.stringify({ id, ...inOrder(state) }, null, 2) + "\n";
    case "md":
      return markdown(id, state);
    case "html":
      return html(id, state);
  }
}

function markdown(id: string, state: SessionState): string {
  const items = [...replay(state)].map(markdownItem);
  return [`# ${state.title || id}`, about(id, state), ...items, ""].join(
    "\n\n",
  );
}

function about(id: string, { createdAt, model, turns }: SessionState): string {
  const count = `${turns} ${turns === 1 ? "turn" : "turns"}`;
  return `Session ${id}, begun ${createdAt}, ${count}, model ${model}.`;
}

function markdownItem(item: ReplayItem): string {
  switch (item.type) {
    case "omitted":
      return "_Earlier messages omitted._";
    case "summary":
      return `## Summary of earlier turns\n\n${item.text}`;
    case "user":
      return `## You\n\n${contentText(item.content)}`;
    case "thought":
      return item.text.split("\n").map((l) => `> ${l}`).join("\n");
    case "assistant":
      return `## mm\n\n${item.text}`;
    case "tool":
      return `### ${toolTitle(item)}\n\n${
        fence(json(item.call.arguments))
      }\n\n${fence(item.result.content)}`;
  }
}

function toolTitle({ result }: ReplayItem & { type: "tool" }): string {
  const { title, name, status, approval } = result;
  const denied = approval === "denied" ? ", denied" : "";
  return `${firstLine(title ?? name, 200)} (${status}${denied})`;
}

function json(value: unknown): string {
  return typeof value === "string"
    ? value
    : JSON.stringify(value, null, 2) ?? "";
}

// Longer than any run of backticks inside.
function fence(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce(
    (n, run) => Math.max(n, run.length),
    2,
  );
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

function html(id: string, state: SessionState): string {
  const items = [...replay(state)].map(htmlItem).join("\n");
  const title = escape(state.title || id);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
  pre { white-space: pre-wrap; overflow-wrap: anywhere }
  .user { border-left: 4px solid #47f; padding-left: 1rem }
  .thought { opacity: 0.7; font-style: italic }
  details { border: 1px solid #8886; border-radius: 6px; padding: 0.5rem 1rem; margin: 1rem 0 }
</style>
<h1>${title}</h1>
<p>${escape(about(id, state))}</p>
${items}
</html>
`;
}

function htmlItem(item: ReplayItem): string {
  switch (item.type) {
    case "omitted":
      return "<p><em>Earlier messages omitted.</em></p>";
    case "summary":
      return `<details open><summary>Summary of earlier turns</summary>${
        pre(item.text)
      }</details>`;
    case "user":
      return `<div class="user">${pre(contentText(item.content))}</div>`;
    case "thought":
      return `<div class="thought">${pre(item.text)}</div>`;
    case "assistant":
      return `<div class="assistant">${pre(item.text)}</div>`;
    case "tool":
      return `<details><summary>${escape(toolTitle(item))}</summary>${
        pre(json(item.call.arguments))
      }${pre(item.result.content)}</details>`;
  }
}

function pre(text: string): string {
  return `<pre>${escape(text)}</pre>`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
