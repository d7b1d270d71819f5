import assert from "node:assert/strict";
import { markdownBlocks } from "../../../facades/remote/web/markdown.ts";

function html(text: string): string {
  return markdownBlocks(text).join("\n");
}

Deno.test("markdown: raw HTML is text", () => {
  for (
    const raw of [
      "<script>alert(1)</script>",
      "a <img src=x onerror=alert(1)> b",
      "<div onclick='x()'>\n\n**b**\n\n</div>",
      "<!-- a comment -->",
      '<a href="javascript:alert(1)">x</a>',
    ]
  ) {
    assert.doesNotMatch(html(raw), /<(?:script|img|div|a)\b|<!--/, raw);
  }
});

Deno.test("markdown: nothing is loaded, an image is a link", () => {
  const shown = html("![a cat](https://example.org/cat.png 'Cat')");
  assert.equal(
    shown,
    '<p><a href="https://example.org/cat.png" title="Cat">Image: a cat</a></p>\n',
  );
  assert.doesNotMatch(html("![x](data:text/html,y)"), /href|src/);
});

Deno.test("markdown: only addresses of the web and of mail are links", () => {
  const links = {
    "[a](https://example.org/?q=1&r=2)": true,
    "[a](http://example.org)": true,
    "[a](mailto:someone@example.org)": true,
    "<https://example.org>": true,
    "[a](javascript:alert(1))": false,
    "[a](JaVaScRiPt:alert(1))": false,
    "[a](java\tscript:alert(1))": false,
    "[a](data:text/html,<script>alert(1)</script>)": false,
    "[a](vbscript:x)": false,
    "[a](file:///etc/passwd)": false,
    "[a](//example.org)": false,
    "[a](/sw.js)": false,
    "[a](#token=x)": false,
  };
  for (const [text, expected] of Object.entries(links)) {
    assert.equal(/<a href/.test(html(text)), expected, text);
  }
});

Deno.test("markdown: quotes in an address end no attribute", () => {
  const shown = html(`[a](https://x.org/"onmouseover="alert(1) "b\\"c'd")`);
  assert.doesNotMatch(shown, /<a [^>]*\sonmouseover/);
});

Deno.test("markdown: code says its language and is coloured", () => {
  assert.match(
    html("```ts\nconst a = 1;\n```"),
    /^<pre data-lang="ts"><code><span class="hljs-keyword">const<\/span>/,
  );
  assert.match(
    html('```"><script>\n<b>\n```'),
    /^<pre data-lang=""><code>&lt;b&gt;/,
  );
});

Deno.test("markdown: blocks that are whole stay the same while more comes", () => {
  const whole = "# A\n\nOne *two*.\n\n- three\n\n```js\nlet a;\n```\n\nEnd";
  const early = markdownBlocks(whole.slice(0, 20));
  assert.deepEqual(markdownBlocks(whole).slice(0, 2), early.slice(0, 2));
});

Deno.test("markdown: what a lost model writes comes to an end, and costs no stack", () => {
  const lost = [
    "[".repeat(100_000),
    "> ".repeat(50_000),
    "- ".repeat(50_000),
    "*a **b ".repeat(20_000),
    "`".repeat(100_000),
    "![](".repeat(30_000),
    "|a".repeat(50_000) + "\n" + "|-".repeat(50_000),
    "<".repeat(100_000),
    "_ ".repeat(50_000),
    "a".repeat(3_000_000),
    "&".repeat(100_000),
    "\\".repeat(100_000),
    "1. ".repeat(30_000),
    "~~".repeat(50_000),
    "https://".repeat(12_000),
    "a@b.".repeat(25_000),
    "\n".repeat(100_000) + "x",
    "  \n\t".repeat(30_000) + "x",
  ];
  for (const text of lost) markdownBlocks(text);
});

Deno.test("markdown: marks that reorder text, and escapes of terminals, are gone", () => {
  assert.equal(html("a\u202eb\u2066c\x1b[31md\0"), "<p>abcd</p>\n");
});
