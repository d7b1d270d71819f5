import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { empty } from "../../../core/fold.ts";
import { newId } from "../../../core/id.ts";
import { MemoryStore } from "../../../core/memory_store.ts";
import { cutProxy } from "../../e2e/cut_proxy.ts";
import {
  ask,
  assertFine,
  browserTest,
  keeps,
  openPage,
  pageUrl,
  shownItems,
  shows,
} from "./browser.ts";
import { pageLab } from "./page_lab.ts";
import { until } from "../../until.ts";
import { gate, serverLab, TOKEN } from "./server_lab.ts";

browserTest(
  "without a network the page opens with what it kept, and says so; the server's replay takes its place",
  async (browser) => {
    await using lab = await serverLab(["First answer.", "Second answer."]);
    await using network = cutProxy(lab.server.port);
    const opened = await openPage(browser, pageUrl(network.port, TOKEN));
    const { page } = opened;
    await ask(page, "first");
    await shows(page, "First answer.");
    await workerReady(page);
    await keeps(page, "copies", "First answer.");
    network.cut();
    await page.getByText("Offline").waitFor();
    await page.reload();
    await shows(page, "First answer.");
    await page.getByText("This is what was kept here").waitFor();
    const kept = await shownItems(page);
    // Meanwhile it goes on elsewhere.
    const [session] = (await lab.agent.list()).items;
    const live = await lab.agent.session(session?.id ?? "");
    await live?.prompt("second");
    network.mend();
    await shows(page, "Second answer.");
    assert.deepEqual((await shownItems(page)).slice(0, 2), kept);
    assert.equal(await page.locator(".connection p").count(), 0);
    assertFine(opened);
  },
);

browserTest(
  "a browser that keeps nothing shows all the same, and nothing goes wrong",
  async (browser) => {
    await using lab = await serverLab(["Hello."]);
    const opened = await openPage(browser, "about:blank");
    const { page } = opened;
    await page.addInitScript(() => {
      for (const name of ["localStorage", "sessionStorage", "indexedDB"]) {
        Object.defineProperty(globalThis, name, {
          get() {
            throw new DOMException(
              "The operation is insecure",
              "SecurityError",
            );
          },
        });
      }
    });
    await page.goto(pageUrl(lab.server.port, TOKEN));
    await ask(page, "hi");
    await shows(page, "Hello.");
    const problems = opened.problems.filter((p) => !p.startsWith("request: "));
    assert.deepEqual(problems, []);
  },
);

browserTest(
  "what was asked without a network waits, through a reload, and is asked once",
  async (browser) => {
    await using lab = await serverLab(["Hello.", "Later."]);
    await using network = cutProxy(lab.server.port);
    const opened = await openPage(browser, pageUrl(network.port, TOKEN));
    const { page } = opened;
    await ask(page, "first");
    await shows(page, "Hello.");
    await workerReady(page);
    network.cut();
    await page.getByText("Offline").waitFor();
    await ask(page, "are you there?");
    await page.locator("[data-kind=pending]", { hasText: "there?" }).waitFor();
    assert.match(
      await page.locator(".item-pending").textContent() ?? "",
      /Sent when there is a connection/,
    );
    await keeps(page, "outgoing", "are you there?");
    await page.reload();
    await page.locator("[data-kind=pending]", { hasText: "there?" }).waitFor();
    network.mend();
    await shows(page, "Later.");
    assert.deepEqual((await shownItems(page)).map((i) => i.split(" ")[0]), [
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    assertFine(opened);
  },
);

browserTest(
  "the first question of a conversation survives a reload before it was sent",
  async (browser) => {
    await using lab = await serverLab(["Hello."]);
    await using network = cutProxy(lab.server.port);
    const opened = await openPage(browser, pageUrl(network.port, TOKEN));
    const { page } = opened;
    await page.getByText("What shall we do?").waitFor();
    await workerReady(page);
    network.cut();
    await page.getByText("Offline").waitFor();
    await ask(page, "hello?");
    await page.locator(".item-pending").waitFor();
    await keeps(page, "outgoing", "hello?");
    await page.reload();
    await page.locator(".item-pending").waitFor();
    network.mend();
    await shows(page, "Hello.");
    assert.equal(await page.locator(".item-user").count(), 1);
    assertFine(opened);
  },
);

browserTest(
  "what was refused stays, with the reason, to be sent again or dropped",
  async (browser) => {
    await using at = await pageLab(browser, ["Hello."]);
    const { page } = at;
    await page.getByText("What shall we do?").waitFor();
    await ask(page, "x".repeat(5 * 1024 * 1024));
    await page.getByText("Not sent:").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.locator(".item-pending").waitFor({ state: "detached" });
    await ask(page, "short");
    await shows(page, "Hello.");
  },
);

browserTest(
  "the end is followed while an answer grows, unless the reader went up",
  async (browser) => {
    const long = (n: number) => `word ${n} `.repeat(400);
    const held = gate(long(2));
    await using at = await pageLab(browser, [long(1), held.step]);
    const { page } = at;
    await ask(page, "one");
    await shows(page, "word 1");
    await page.getByRole("button", { name: "Send" }).waitFor();
    await until(async () => await fromEnd(page) < 3);
    await ask(page, "two");
    await shows(page, "two");
    // Both in one moment: what grows must not drag the reader back.
    await page.locator(".conversation").evaluate((box) => {
      const more = document.createElement("li");
      more.style.height = "500px";
      box.querySelector(".items")?.append(more);
      box.scrollTop = 100;
    });
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    held.open();
    await shows(page, "word 2");
    await page.waitForTimeout(300);
    assert(await fromEnd(page) > 200, "the reader is left where they are");
    await page.getByRole("button", { name: "Jump to latest" }).click();
    await until(async () => await fromEnd(page) < 3);
  },
);

browserTest(
  "of a long conversation the newest part is kept, and said to be one",
  async (browser) => {
    const store = new MemoryStore();
    const session = newId();
    const at = "2026-12-01T00:00:00.000Z";
    const messages = Array.from({ length: 900 }, (_, i) => ({
      role: i % 2 ? "assistant" as const : "user" as const,
      id: `m-${i}`,
      content: `Message ${i}`,
      seq: i + 2,
      at,
    }));
    const seq = messages.length + 1;
    const state = { ...empty(), seq, messages };
    await store.append(session, [{ seq, at, type: "restored", state }]);
    await using lab = await serverLab([], { store });
    await using network = cutProxy(lab.server.port);
    const url = pageUrl(network.port, TOKEN, session);
    const opened = await openPage(browser, url);
    const { page } = opened;
    await shows(page, "Message 899");
    await workerReady(page);
    await keeps(page, "copies", "Message 899");
    network.cut();
    await page.getByText("Offline").waitFor();
    await page.reload();
    await shows(page, "Message 899");
    const earlier = page.locator("button.earlier");
    while (await earlier.count() > 0) await earlier.click();
    assert.equal((await shownItems(page)).length, 501);
    await page.getByText("Earlier messages omitted").waitFor();
    network.mend();
    await page.getByText("Earlier messages omitted").waitFor({
      state: "detached",
    });
    while (await earlier.count() > 0) await earlier.click();
    assert.equal((await shownItems(page)).length, 900);
    assertFine(opened);
  },
);

function fromEnd(page: Page): Promise<number> {
  return page.locator(".conversation").evaluate((box) =>
    box.scrollHeight - box.scrollTop - box.clientHeight
  );
}

// It has the page's files, and the page is its own.
async function workerReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener("controllerchange", resolve)
    );
  });
}
