import assert from "node:assert/strict";
import { empty } from "../../../core/fold.ts";
import { newId } from "../../../core/id.ts";
import { replay } from "../../../core/replay.ts";
import { call } from "../../scripted_model.ts";
import {
  ask,
  assertFine,
  browserTest,
  openPage,
  pageUrl,
  shownItems,
  shows,
} from "./browser.ts";
import { pageLab } from "./page_lab.ts";
import { gate, serverLab, TOKEN } from "./server_lab.ts";

browserTest(
  "the page asks, streams, and names the session in its address",
  async (browser) => {
    await using at = await pageLab(browser, ["Hello **there**."]);
    const { page } = at;
    await ask(page, "hi");
    await shows(page, "Hello there.");
    assert.equal(await page.locator(".items strong").textContent(), "there");
    assert.match(page.url(), /#\/s\/\d{8}-\d{6}-[0-9a-f]{8}$/);
    assert.doesNotMatch(page.url(), /token/);
    assert.equal(await page.title(), "hi – mm");
    const [session] = (await at.lab.agent.list()).items;
    const state = (await at.lab.agent.session(session?.id ?? ""))?.state ??
      empty();
    assert.deepEqual(
      await shownItems(page),
      [...replay(state)].map((i) => `${i.type} ${"id" in i ? i.id : ""}`),
    );
  },
);

browserTest(
  "a page that came by a ticket knows the token from then on",
  async (browser) => {
    await using lab = await serverLab(["Hello.", "Again."]);
    const ticket = pageUrl(lab.server.port, lab.server.ticket());
    const one = await openPage(browser, ticket);
    await ask(one.page, "hi");
    await shows(one.page, "Hello.");
    await one.page.reload();
    await ask(one.page, "hi again");
    await shows(one.page, "Again.");
    assertFine(one);
    const other = await openPage(browser, ticket);
    await other.page.getByText("The server says: Wrong token").waitFor();
  },
);

browserTest(
  "an approval is answered once for all, with a reason; both pages show it settled",
  async (browser) => {
    await using lab = await serverLab([
      { content: "I try.", toolCalls: [call("run", { text: "rm x" })] },
      "Then not.",
    ]);
    const one = await openPage(browser, pageUrl(lab.server.port, TOKEN));
    await ask(one.page, "run it");
    const card = one.page.getByRole("region", { name: "Allow: Run rm x" });
    await card.waitFor();
    assert.equal(await one.page.title(), "(1) run it – mm");
    const session = /s\/(.*)/.exec(one.page.url())?.[1];
    const url = pageUrl(lab.server.port, TOKEN, session);
    const two = await openPage(browser, url);
    await two.page.getByRole("button", { name: "Deny…" }).click();
    await two.page.keyboard.type("it is mine");
    await two.page.keyboard.press("Enter");
    for (const { page } of [one, two]) {
      await shows(page, "Then not.");
      assert.equal(await page.locator(".approval").count(), 0);
      const tool = page.getByRole("region", { name: "Tool: Run rm x" });
      assert.match(await tool.textContent() ?? "", /denied/);
      await tool.getByRole("button").click();
      assert.match(await tool.textContent() ?? "", /it is mine/);
    }
    assert.equal(await one.page.getByText("2 screens attached").count(), 1);
    assertFine(one);
    assertFine(two);
  },
);

browserTest("a running turn is steered and stopped", async (browser) => {
  const held = gate("never");
  await using at = await pageLab(browser, [held.step], {
    page: {
      viewport: { width: 1280, height: 800 },
    },
  });
  const { page } = at;
  await ask(page, "go");
  await held.reached;
  const field = page.getByRole("textbox", { name: "Add to the running turn" });
  await field.fill("to the left");
  await page.keyboard.press("Enter");
  await page.locator("[data-kind=user]", { hasText: "to the left" }).waitFor();
  assert.deepEqual((await shownItems(page)).map((i) => i.split(" ")[0]), [
    "user",
    "user",
  ]);
  await page.keyboard.press("Control+k"); // Esc leaves the search first
  await page.keyboard.type("left");
  await page.keyboard.press("Escape");
  const search = page.getByRole("searchbox");
  assert.equal(await search.inputValue(), "");
  await page.keyboard.press("Escape");
  assert(await field.evaluate((e) => e === document.activeElement));
  await page.getByRole("button", { name: "Stop" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Send" }).waitFor();
});

browserTest(
  "a question that is stopped before an answer comes back to whoever wrote it",
  async (browser) => {
    const held = gate("never");
    await using at = await pageLab(browser, [held.step]);
    const { page } = at;
    await ask(page, "a long thought");
    await held.reached;
    await page.getByRole("button", { name: "Stop the turn" }).click();
    await page.getByText("the question is not kept").waitFor();
    const field = page.locator(".composer textarea");
    assert.equal(await field.inputValue(), "a long thought");
  },
);

browserTest(
  "a failure stays in sight until something follows, and is asked again",
  async (browser) => {
    await using at = await pageLab(browser, [new Error("No luck"), "Luck."]);
    const { page } = at;
    await ask(page, "try it");
    const again = page.getByRole("button", { name: "Ask again" });
    await again.waitFor();
    const told = page.locator(".error", { hasText: "No luck" });
    assert.equal(await told.count(), 1, "told once");
    await page.reload();
    await again.waitFor();
    assert.equal(await told.count(), 1);
    assert.equal(await page.locator("blockquote").textContent(), "try it");
    await again.click();
    await shows(page, "Luck.");
    assert.equal(await again.count(), 0);
  },
);

browserTest(
  "commands are completed, run, and answered beside the conversation",
  async (browser) => {
    await using at = await pageLab(browser, ["Yes."]);
    const { page } = at;
    await ask(page, "hello");
    await shows(page, "Yes.");
    const field = page.locator(".composer textarea");
    await field.fill("/too");
    await page.getByRole("option", { name: "/tools" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await field.inputValue(), "/tools ");
    await page.click(".send");
    await shows(page, "look (read) Looks");
    await ask(page, "/help");
    await shows(page, "/sessions: Find a conversation");
    await ask(page, "/nothing");
    await page.locator(".note.error").waitFor();
    assert.match(await page.title(), /hello/);
  },
);

browserTest(
  "on a phone Enter is a new line, the button sends, and no keys are told",
  async (browser) => {
    await using at = await pageLab(browser, ["Yes."], {
      page: {
        hasTouch: true,
        isMobile: true,
      },
    });
    const { page } = at;
    await page.locator(".composer textarea").tap();
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("two");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.locator("[data-kind=user]", { hasText: "one\ntwo" }).waitFor();
    await shows(page, "Yes.");
    await page.locator(".composer textarea").fill("/help");
    await page.getByRole("button", { name: "Send" }).tap();
    await shows(page, "/sessions: Find a conversation");
    assert.equal(await page.getByText("Keys:").count(), 0);
  },
);

browserTest(
  "the list shows and searches conversations; a link leads to each",
  async (browser) => {
    await using lab = await serverLab(["One.", "Two."]);
    for (const text of ["the first thing", "the second thing"]) {
      await lab.agent.create().prompt(text);
    }
    const opened = await openPage(browser, pageUrl(lab.server.port, TOKEN));
    const { page } = opened;
    await page.getByRole("button", { name: "Conversations" }).click();
    const drawer = page.getByRole("dialog", { name: "Conversations" });
    await drawer.getByRole("link", { name: "the second thing" }).waitFor();
    await drawer.getByRole("searchbox").fill("two.");
    await drawer.getByRole("heading", { name: "In messages" }).waitFor();
    await drawer.getByRole("link", { name: "the second thing Two." }).waitFor();
    await drawer.getByRole("searchbox").fill("first");
    await drawer.getByRole("link", { name: "the second thing" }).waitFor({
      state: "detached",
    });
    await drawer.getByRole("link", { name: "the first thing" }).click();
    await shows(page, "One.");
    assert.equal(await page.locator("dialog").count(), 0);
    await page.goBack();
    await page.getByText("What shall we do?").waitFor();
    assertFine(opened);
  },
);

browserTest(
  "without a token, or with a wrong one, the page says what to do",
  async (browser) => {
    await using lab = await serverLab();
    const { port } = lab.server;
    const opened = await openPage(browser, `http://127.0.0.1:${port}/`);
    const { page } = opened;
    await page.getByText("Open a link of mm serve").waitFor();
    await page.getByLabel("Link or token").fill("not-the-token-0123456789");
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByText("This link is no longer good").waitFor();
    await page.getByLabel("Link or token").fill(pageUrl(port, TOKEN));
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByText("What shall we do?").waitFor();
    assertFine(opened);
  },
);

browserTest(
  "thousands of messages: the newest are drawn, earlier ones on demand, in place",
  async (browser) => {
    await using lab = await serverLab(["Yes."]);
    const session = newId();
    const messages = Array.from({ length: 4000 }, (_, i) => ({
      role: i % 2 ? "assistant" as const : "user" as const,
      id: `m-${i}`,
      content:
        `Message ${i} with *some* words\n\n\`\`\`ts\nlet a = ${i};\n\`\`\``,
      seq: i + 2,
      at: "2026-12-01T00:00:00.000Z",
    }));
    const seq = messages.length + 1;
    await lab.agent.store?.append(session, [{
      seq,
      at: "2026-12-01T00:00:00.000Z",
      type: "restored",
      state: { ...empty(), seq, title: "Long", messages },
    }]);
    const url = pageUrl(lab.server.port, TOKEN, session);
    const opened = await openPage(browser, url);
    const { page } = opened;
    await shows(page, "Message 3999");
    assert((await shownItems(page)).length <= 200);
    const scroller = page.locator(".conversation");
    await page.waitForFunction(() => {
      const box = document.querySelector(".conversation");
      return box && box.scrollHeight - box.scrollTop - box.clientHeight < 2;
    });
    await scroller.evaluate((box) => box.scrollTop = 0);
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    const first = page.locator('[data-id="m-3800"]');
    const before = (await first.boundingBox())?.y;
    await page.getByRole("button", { name: "Show 200 earlier items" }).click();
    await page.locator('[data-id="m-3600"]').waitFor({ state: "attached" });
    const after = (await first.boundingBox())?.y;
    assert(Math.abs((before ?? 0) - (after ?? 0)) < 80, `${before} → ${after}`);
    await ask(page, "still there?");
    await page.locator("[data-kind=user]", { hasText: "still there?" })
      .waitFor();
    assertFine(opened);
  },
);
