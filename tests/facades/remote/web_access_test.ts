import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { call } from "../../scripted_model.ts";
import {
  ask,
  assertFine,
  browserTest,
  openPage,
  pageUrl,
  shows,
  violations,
} from "./browser.ts";
import { pageLab } from "./page_lab.ts";
import { gate, serverLab, TOKEN } from "./server_lab.ts";

const ANSWER = `# Title

Some **text** with \`code\` and a [link](https://example.org).

\`\`\`ts
// A comment
export const a: string = "text"; const n = 12;
\`\`\`

| a | b |
|---|---|
| 1 | 2 |

> quoted
`;

browserTest(
  "no rule of accessibility is broken, in light and in dark, on a phone and on a desk",
  async (browser) => {
    const held = gate("Later.");
    await using lab = await serverLab([
      {
        content: ANSWER,
        thought: "Thinking",
        toolCalls: [call("change", { text: "a.ts" })],
      },
      { content: "Now this.", toolCalls: [call("run", { text: "ls" })] },
      held.step,
    ]);
    const { port } = lab.server;
    const first = await openPage(browser, pageUrl(port, TOKEN));
    assert.deepEqual(await violations(first.page), [], "empty");
    await ask(first.page, "please");
    await first.page.getByRole("button", { name: "Allow once" }).click();
    await first.page.getByText("Now this.").waitFor();
    await first.page.getByRole("button", { name: "Allow once" }).waitFor();
    const session = /s\/(.*)/.exec(first.page.url())?.[1];
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [360, 1280]) {
        const opened = await openPage(browser, pageUrl(port, TOKEN, session), {
          colorScheme,
          viewport: { width, height: 800 },
          reducedMotion: "reduce", // a colour that changes has no contrast
        });
        const { page } = opened;
        await shows(page, "Now this.");
        await page.locator("summary").first().click();
        await page.locator(".composer textarea").fill("/");
        const where = `${colorScheme} ${width}`;
        assert.deepEqual(await violations(page), [], where);
        await page.locator(".composer textarea").fill("");
        await page.getByRole("button", { name: "Deny…" }).click();
        assert.deepEqual(await violations(page), [], `${where}, deny`);
        if (width < 900) {
          await page.getByRole("button", { name: "Conversations" }).click();
          await page.locator(".row a").waitFor();
          assert.deepEqual(await violations(page), [], `${where}, drawer`);
        }
        assertFine(opened);
        await page.context().close();
      }
    }
    const gatePage = await openPage(browser, `http://127.0.0.1:${port}/`);
    await gatePage.page.getByText("Open a link of mm serve").waitFor();
    assert.deepEqual(await violations(gatePage.page), [], "no token");
  },
);

browserTest(
  "all can be done by keyboard, and the focus stays where it can be seen",
  async (browser) => {
    await using at = await pageLab(browser, [
      { content: "I try.", toolCalls: [call("run", { text: "ls" })] },
      "Done.",
    ]);
    const { page } = at;
    const { keyboard } = page;
    await page.locator(".composer textarea").waitFor();
    assert.equal(await focused(page), "TEXTAREA");
    await keyboard.type("line one");
    await keyboard.press("Shift+Enter");
    await keyboard.type("line two");
    await keyboard.press("Enter");
    await page.getByText("line one\nline two").waitFor();
    await page.getByRole("button", { name: "Allow once" }).waitFor();
    await keyboard.press("Shift+Tab");
    for (let i = 0; i < 12 && await focused(page) !== "Allow once"; i++) {
      await keyboard.press("Shift+Tab");
    }
    await keyboard.press("Enter");
    await shows(page, "Done.");
    assert.equal(await focused(page), "TEXTAREA", "not lost with the card");
    await keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    for (let i = 0; i < 12; i++) {
      await keyboard.press("Tab");
      const outside = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement !== document.body &&
          !activeElement?.closest("dialog");
      });
      assert(!outside, "the focus left the dialog");
    }
    await keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  },
);

browserTest(
  "a screen reader hears whole answers and questions, not every word",
  async (browser) => {
    const held = gate({
      content: "one two three",
      toolCalls: [call("run", { text: "ls" })],
    });
    await using at = await pageLab(browser, [held.step]);
    const { page } = at;
    await page.locator(".composer textarea").waitFor();
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(globalThis, { said });
      const region = document.querySelector("[aria-live=polite]");
      new MutationObserver(() => said.push(region?.textContent ?? ""))
        .observe(region as Element, {
          childList: true,
          characterData: true,
          subtree: true,
        });
    });
    await ask(page, "count");
    held.open();
    await page.getByRole("button", { name: "Allow once" }).waitFor();
    const said = await page.evaluate(() =>
      (globalThis as unknown as { said: string[] }).said
    );
    assert.equal(said.at(-1), "Approval needed: Run ls");
    assert(!said.includes("one"), "no deltas");
  },
);

// The name of a button, or the kind of element, that has the focus.
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    return element instanceof HTMLButtonElement
      ? element.textContent?.trim() ?? ""
      : element?.tagName ?? "";
  });
}
