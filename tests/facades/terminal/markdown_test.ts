import { ok, strictEqual as equal } from "node:assert";
import { visibleWidth } from "@mariozechner/pi-tui";
import { markdownLines } from "../../../facades/terminal/tui/markdown.ts";
import { makeTheme } from "../../../facades/terminal/tui/theme.ts";

const theme = makeTheme(false);

Deno.test("markdownLines() draws quotes, also in quotes", () => {
  const text = markdownLines(">> a\n\n**b**", 40, theme).join("\n");
  ok(!text.includes(">") && !text.includes("**"), text);
});

Deno.test("markdownLines() comes to an end with what a lost model writes", () => {
  const units = ["> ", ">", "- > ", "[a](", "![a](", "[a](b", "*a **b ", "_a "];
  const deep = Array.from(
    { length: 60 },
    (_, i) => `${" ".repeat(2 * i)}- a\n`,
  );
  const marks = [
    deep.join(""),
    "[",
    "*",
    "`a ",
    "<a ",
    "~~a ",
    "- ",
    "1. ",
    "|",
    "\\\\",
  ];
  for (const width of [3, 10, 80]) {
    for (const unit of [...units, ...marks]) {
      const text = `${unit.repeat(Math.max(1, 4000 / unit.length))}x`;
      const lines = markdownLines(text, width, theme);
      ok(lines.every((line) => visibleWidth(line) <= width), unit);
    }
  }
  equal(markdownLines("> ".repeat(60) + "end", 200, theme).length, 1);
});
