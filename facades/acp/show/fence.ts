/** `text` as a Markdown code block, its fence longer than any inside. */
export function fenced(text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((r) => r.length + 1)));
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
