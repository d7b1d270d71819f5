import assert from "node:assert/strict";
import { empty } from "../../../core/fold.ts";
import { newId } from "../../../core/id.ts";
import type { StoredMessage } from "../../../core/message.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import {
  assertFine,
  browserTest,
  openPage,
  pageUrl,
  shownItems,
  shows,
} from "./browser.ts";
import { serverLab, TOKEN } from "./server_lab.ts";

const at = "2026-12-01T00:00:00.000Z";

const MESSAGES: readonly StoredMessage[] = [
  {
    role: "system",
    id: "s",
    content: "They **said** hello",
    summary: true,
    seq: 2,
    at,
  },
  { role: "user", id: "u", content: "Do it", seq: 3, at },
  {
    role: "assistant",
    id: "a",
    content: "I do",
    thought: "Shall I?",
    toolCalls: [
      { id: "c1", name: "run", arguments: { command: "ls" } },
      { id: "c2", name: "edit", arguments: {} },
      { id: "c3", name: "run", arguments: "{broken" },
    ],
    seq: 4,
    at,
  },
  {
    role: "tool",
    id: "t1",
    toolCallId: "c1",
    name: "run",
    content: `${"line\n".repeat(9000)}\x1b[32mlast\x1b[0m`,
    status: "completed",
    approval: "allowed",
    title: "$ ls",
    kind: "execute",
    seq: 5,
    at,
  },
  {
    role: "tool",
    id: "t2",
    toolCallId: "c2",
    name: "edit",
    content: "ok",
    status: "completed",
    approval: "auto",
    title: "Edit a.ts",
    kind: "edit",
    diffs: [{ path: "/p/a.ts", oldText: "one\ntwo\n", newText: "one\n2\n" }],
    seq: 6,
    at,
  },
  {
    role: "tool",
    id: "t3",
    toolCallId: "c3",
    name: "run",
    content: "The arguments are no JSON",
    status: "failed",
    approval: "auto",
    seq: 7,
    at,
  },
];

browserTest(
  "what a record may hold is drawn: omissions, summaries, thoughts, output, changes, failures",
  async (browser) => {
    const store = new MemoryStore();
    const session = newId();
    const state = { ...empty(), seq: 7, truncated: true, messages: MESSAGES };
    await store.append(session, [{ seq: 7, at, type: "restored", state }]);
    await using lab = await serverLab([], { store });
    const url = pageUrl(lab.server.port, TOKEN, session);
    const opened = await openPage(browser, url);
    const { page } = opened;
    await shows(page, "I do");
    assert.deepEqual(await shownItems(page), [
      "omitted ",
      "summary s",
      "user u",
      "thought a",
      "assistant a",
      "tool c1",
      "tool c2",
      "tool c3",
    ]);
    await page.getByText("Earlier messages omitted").waitFor();
    assert.equal(await page.locator(".folded strong").count(), 0, "folded");
    await page.getByText("Summary of earlier messages").click();
    assert.equal(await page.locator(".folded strong").textContent(), "said");

    const run = page.getByRole("region", { name: "Tool: $ ls" });
    assert.match(await run.textContent() ?? "", /allowed/);
    await run.getByRole("button").click();
    const output = await run.locator(".output").textContent() ?? "";
    assert(output.endsWith("line\nlast") && output.length <= 20_000);
    assert.match(await run.textContent() ?? "", /\d+ lines above/);

    const rows = page.locator(".diff tr");
    assert.deepEqual(
      await rows.evaluateAll((all) =>
        all.map((row) => `${row.className}|${row.textContent}`)
      ),
      ["same|1 one", "removed|2-two", "added|2+2"],
    );

    const failed = page.locator("[data-id=c3]");
    assert.match(await failed.textContent() ?? "", /failed/);
    assert.match(await failed.textContent() ?? "", /\{broken/);
    assertFine(opened);
  },
);

browserTest(
  "light and dark are as the system has them, until one is chosen",
  async (browser) => {
    await using lab = await serverLab();
    const url = pageUrl(lab.server.port, TOKEN);
    const opened = await openPage(browser, url, { colorScheme: "dark" });
    const { page } = opened;
    const background = () =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const button = page.getByRole("button", { name: /^Theme: / });
    await button.waitFor();
    assert.equal(await background(), "rgb(22, 24, 29)");
    await button.click();
    assert.equal(await button.getAttribute("aria-label"), "Theme: light");
    assert.equal(await background(), "rgb(255, 255, 255)");
    await page.reload();
    await button.waitFor();
    assert.equal(await background(), "rgb(255, 255, 255)");
    assertFine(opened);
  },
);

browserTest("a new link in the same tab is taken", async (browser) => {
  await using lab = await serverLab();
  const { port } = lab.server;
  const opened = await openPage(browser, `http://127.0.0.1:${port}/`);
  const { page } = opened;
  await page.getByText("Open a link of mm serve").waitFor();
  await page.goto(pageUrl(port, "another-token-0123456789"));
  await page.getByText("This link is no longer good").waitFor();
  await page.goto(pageUrl(port, TOKEN)); // only the fragment is another
  await page.getByText("What shall we do?").waitFor();
  assert.doesNotMatch(page.url(), /token/);
  assertFine(opened);
});
