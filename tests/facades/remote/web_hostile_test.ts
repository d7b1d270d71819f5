import assert from "node:assert/strict";
import { defineTool } from "../../../core/tool.ts";
import { object, string } from "zod/mini";
import { call } from "../../scripted_model.ts";
import {
  ask,
  assertFine,
  browserTest,
  keeps,
  openPage,
  pageUrl,
  shows,
} from "./browser.ts";
import { pageLab } from "./page_lab.ts";
import { serverLab, TOKEN } from "./server_lab.ts";

const ATTACKS = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><svg/onload=alert(1)>",
  "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "[x](javascript:alert(1)) [x]( java\nscript:alert(1))",
  "![x](https://evil.example/a.png) ![x](//evil.example/b.png)",
  "<a href='javascript:alert(1)' style='position:fixed;inset:0'>x</a>",
  "<form action=https://evil.example><input name=attributes></form>",
  "<base href=https://evil.example><link rel=stylesheet href=//evil.example/c>",
  "<div id=app><div data-kind=user data-id=fake>",
  '```html"onload=alert(1)\n<script>alert(1)</script>\n```',
  "\u202egnp.exe \u2066\u200f \x1b[2J\x1b]0;owned\x07",
  "x".repeat(20_000),
  "W".repeat(500) + " " + "|a".repeat(300),
  "{{constructor.constructor('alert(1)')()}} ${alert(1)}",
];

browserTest(
  "hostile text in answers, questions, titles, names, output and notes runs nothing, loads nothing, and breaks no layout",
  async (browser) => {
    const evil = ATTACKS.join("\n\n");
    const tool = defineTool({
      name: "evil",
      description: "Evil",
      kind: "execute",
      input: object({ text: string() }),
      plan: ({ text }) => ({
        title: text,
        access: "ask",
        scope: text.slice(0, 300),
        diffs: [{
          path: `/project/${text}`,
          oldText: evil,
          newText: `${evil}\n<script>alert(2)</script>\u202e`,
        }],
        locations: [{ path: `/project/${text}` }],
      }),
      run: ({ text }) => Promise.resolve({ content: text }),
    });
    const steps = [
      { content: evil, toolCalls: [call("evil", { text: evil })] },
      { content: evil, thought: evil },
      new Error(evil),
    ];
    await using lab = await serverLab(steps, {
      agent: { bundles: [{ tools: [tool] }] },
    });
    for (const width of [360, 1280]) {
      const session = lab.model.requests.length > 0
        ? (await lab.agent.list()).items[0]?.id
        : undefined;
      const url = pageUrl(lab.server.port, TOKEN, session);
      const opened = await openPage(browser, url, {
        viewport: { width, height: 780 },
      });
      const { page } = opened;
      if (session === undefined) {
        await ask(page, evil);
        await page.getByRole("button", { name: "Allow once" }).click();
        await page.locator(".thought").waitFor();
        await page.locator(".thought summary").click();
        await ask(page, evil);
        await page.locator(".unanswered").waitFor();
      } else {
        await page.locator(".tool").waitFor();
      }
      for (const head of await page.locator(".card-head").all()) {
        if (await head.getAttribute("aria-expanded") === "false") {
          await head.click();
        }
      }
      await page.waitForTimeout(300);
      assert.deepEqual(await foreign(page), []);
      assert.equal(await overflow(page), 0, `sideways at ${width}`);
      const shown = await page.locator(".item").allTextContents();
      assert(!/[\u202a-\u202e\u2066-\u2069\u200f]/.test(shown.join("")));
      assert.equal(await page.locator("[data-id=fake]").count(), 0);
      if (width < 900) {
        await page.getByRole("button", { name: "Conversations" }).click();
      }
      await page.locator(".row a").first().waitFor();
      assert.equal(await overflow(page), 0);
      assert.doesNotMatch(await page.title(), /\u202e/);
      assertFine(opened);
      await page.context().close();
    }
  },
);

browserTest("links open elsewhere, without a way back", async (browser) => {
  await using at = await pageLab(browser, [
    "See [this](https://example.org/x).",
  ]);
  const { page } = at;
  await ask(page, "hi");
  await shows(page, "See this.");
  const link = page.getByRole("link", { name: "this" });
  assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
  assert.equal(await link.getAttribute("target"), "_blank");
});

browserTest(
  "the token is in no address, no cache and no copy of a conversation",
  async (browser) => {
    await using at = await pageLab(browser, ["Hello."]);
    const { page } = at;
    await ask(page, "hi");
    await shows(page, "Hello.");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await keeps(page, "copies", "Hello.");
    const kept = await page.evaluate(async () => {
      const found: string[] = [location.href, document.referrer];
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) {
          const response = await cache.match(request);
          found.push(request.url, await response?.text() ?? "");
        }
      }
      return { cached: found.join("\n"), history: history.length };
    });
    assert.doesNotMatch(kept.cached, new RegExp(TOKEN));
    assert.doesNotMatch(kept.cached, /Hello\./);
  },
);

// Elements that no answer may bring, and handlers on any.
function foreign(page: import("playwright-core").Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll(".items *")) {
      const name = element.localName;
      if (
        /^(?:script|iframe|object|embed|form|style|link|base|meta|img|video|audio|math)$/
          .test(name) && !element.closest(".choices")
      ) found.push(name);
      for (const { name, value } of element.attributes) {
        if (/^on|^style$|^src/.test(name)) found.push(`${name}=${value}`);
        if (name === "href" && !/^(?:https?:|mailto:)/.test(value)) {
          found.push(`href=${value}`);
        }
      }
    }
    return found;
  });
}

// How far the page, or the conversation, goes out to the side.
function overflow(page: import("playwright-core").Page): Promise<number> {
  return page.evaluate(() =>
    Math.max(
      0,
      ...Array.from(
        document.querySelectorAll(
          "html, .conversation, .top, .sessions-scroll",
        ),
        (box) => box.scrollWidth - box.clientWidth,
      ),
    )
  );
}
