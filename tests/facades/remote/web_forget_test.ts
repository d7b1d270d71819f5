import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { JsonStore } from "../../../plugins/json/json_store.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";
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
import { serverLab, TOKEN } from "./server_lab.ts";

browserTest(
  "a device that is to forget keeps nothing, after asking, and other tabs leave too",
  async (browser) => {
    await using at = await pageLab(browser, ["Hello."]);
    const { page } = at;
    await ask(page, "hi");
    await shows(page, "Hello.");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => {}));
    await until(async () => (await kept(page)).copies > 0, "a copy is kept");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await shows(other, "Hello.");
    await page.locator(".composer textarea").fill("a draft");
    await page.getByRole("button", { name: "Conversations" }).click();
    await page.getByRole("button", { name: "Forget this device" }).click();
    const dialog = page.getByRole("dialog", { name: "Forget this device?" });
    await dialog.waitFor();
    await page.keyboard.press("Enter"); // on Cancel, where the focus is
    await dialog.waitFor({ state: "detached" });
    assert.equal((await kept(page)).token, true);
    await page.getByRole("button", { name: "Forget this device" }).click();
    await dialog.getByRole("button", { name: "Forget" }).click();
    for (const tab of [page, other]) {
      await tab.getByText("Open a link of mm serve").waitFor();
      assert.equal(new URL(tab.url()).hash, "");
    }
    const nothing = {
      copies: 0,
      outgoing: 0,
      files: 0,
      workers: 0,
      token: false,
      drafts: 0,
    };
    await until(
      async () => JSON.stringify(await kept(page)) === JSON.stringify(nothing),
      "that nothing is left",
    );
    assert.equal((await at.lab.agent.list()).items.length, 1, "on the server");
  },
);

browserTest(
  "a conversation is deleted from the list by keyboard, after asking; where it is shown it says so",
  async (browser) => {
    await using lab = await serverLab(["First.", "Second."]);
    const { port } = lab.server;
    const one = await openPage(browser, pageUrl(port, TOKEN), {
      viewport: { width: 1280, height: 800 },
    });
    const { page } = one;
    await ask(page, "the first");
    await shows(page, "First.");
    const address = page.url();
    const session = /s\/(.*)/.exec(address)?.[1];
    const two = await openPage(browser, pageUrl(port, TOKEN, session));
    await shows(two.page, "First.");
    await page.getByRole("button", { name: "New conversation" }).click();
    await page.getByText("What shall we do?").waitFor();
    await ask(page, "the second");
    await shows(page, "Second.");
    const row = page.getByRole("link", { name: "the first" });
    await row.focus();
    await page.keyboard.press("Delete");
    const dialog = page.getByRole("dialog", { name: "Delete “the first”?" });
    await dialog.waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert(await row.evaluate((e) => e === document.activeElement));
    await page.getByRole("button", { name: "Delete: the first" }).click();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await row.waitFor({ state: "detached" });
    await two.page.getByText("This conversation was removed").waitFor();
    await shows(two.page, "First."); // it can still be read
    await ask(two.page, "are you there?");
    await two.page.getByText("Not sent: Cannot find session").waitFor();
    await until(async () => (await kept(two.page)).copies === 0);
    // What was not sent is kept with its reason, and begins nothing.
    await two.page.reload();
    await two.page.getByText("There is no such conversation").waitFor();
    assert.equal((await kept(two.page)).outgoing, 1);
    assert.deepEqual((await lab.agent.list()).items.map((i) => i.title), [
      "the second",
    ]);
    // The one that is shown gives way to a new one.
    await page.getByRole("button", { name: "Delete: the second" }).click();
    await dialog.page().getByRole("button", { name: "Delete", exact: true })
      .click();
    await page.getByText("What shall we do?").waitFor();
    assert.deepEqual((await lab.agent.list()).items, []);
    assertFine(one);
    assertFine(two);
  },
);

browserTest(
  "a conversation that another program removed stays away when something is asked in it",
  async (browser) => {
    await using dir = await TempDir.make();
    const store = new JsonStore(dir.path);
    await using at = await pageLab(browser, ["First.", "Second."], {
      lab: { store },
    });
    const { page } = at;
    await ask(page, "the first");
    await shows(page, "First.");
    const { items: [session] } = await at.lab.agent.list();
    await new JsonStore(dir.path).remove(session?.id ?? "");
    await ask(page, "and now?");
    await page.getByText("This conversation was removed").waitFor();
    await page.getByText("Not sent: Cannot find session").waitFor();
    assert.deepEqual((await at.lab.agent.list()).items, []);
  },
);

/** What the browser has of this page. */
function kept(page: Page) {
  return page.evaluate(async () => {
    const count = (database: string, store: string) =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open(database);
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const { result } = opening;
          if (!result.objectStoreNames.contains(store)) return resolve(0);
          const keys = result.transaction(store).objectStore(store)
            .getAllKeys();
          keys.onsuccess = () => {
            result.close();
            resolve(keys.result.filter((key) => key !== "times").length);
          };
        };
      });
    return {
      copies: await count("mm-copies", "copies"),
      outgoing: await count("mm-outgoing", "outgoing"),
      files: (await caches.keys()).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      token: localStorage.getItem("mm.token") !== null,
      drafts: Object.keys(sessionStorage).length,
    };
  });
}
