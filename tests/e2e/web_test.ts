import assert from "node:assert/strict";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { SessionState } from "../../core/fold.ts";
import { contentText } from "../../core/message.ts";
import { replay } from "../../core/replay.ts";
import { JsonStore } from "../../plugins/json/json_store.ts";
import {
  ask,
  assertFine,
  browserTest,
  type Opened,
  openPage,
  pageUrl,
  shownItems,
} from "../facades/remote/browser.ts";
import { Bystander } from "./bystander.ts";
import { type CutProxy, cutProxy } from "./cut_proxy.ts";
import { inProject } from "./project.ts";
import { Served } from "./served.ts";

/** How often the network, the page or the server fails. `MM_CUTS=50` for the whole of it. */
const CUTS = Number(Deno.env.get("MM_CUTS") ?? 8);
const SEED = Number(Deno.env.get("MM_SEED") ?? Date.now() % 1_000_000);

browserTest(
  `two pages end with what the store has, after ${CUTS} failures (seed ${SEED})`,
  (browser) =>
    inProject(async (project) => {
      await Deno.writeTextFile(
        join(project, "agent.yaml"),
        "model: {use: demo, delay: 8}\n",
      );
      await using served = new Served(project);
      await served.start();
      await using one = cutProxy(served.port);
      await using two = cutProxy(served.port);
      const trial = new Trial(browser, {
        project,
        served,
        networks: [one, two],
      });
      await trial.begin();
      const { port, token } = served;
      const { session } = trial;
      using old = new Bystander({ port, token, session });
      using coming = new Bystander({ port, token, session, strange: true });
      for (let i = 0; i < CUTS; i++) await trial.round(i);
      await trial.end();
      for (const { problems, replays, heard } of [old, coming]) {
        assert.deepEqual(problems, []);
        assert(replays > 0 && heard > 0);
      }
    }),
);

interface World {
  readonly project: string;
  readonly served: Served;
  readonly networks: readonly CutProxy[];
}

/** One conversation on two pages, each with a network of its own. */
class Trial {
  readonly #browser: Browser;
  readonly #world: World;
  readonly #random = randomOf(SEED);
  readonly #asked: string[] = [];
  #pages: Opened[] = [];
  #session = "";
  #reloads = 0;

  constructor(browser: Browser, world: World) {
    this.#browser = browser;
    this.#world = world;
  }

  /** The conversation, once it has begun. */
  get session(): string {
    return this.#session;
  }

  /** A question on the first page, approved on the second. */
  async begin(): Promise<void> {
    const { networks, served: { token } } = this.#world;
    const [near, far] = networks as [CutProxy, CutProxy];
    const phone = await openPage(this.#browser, pageUrl(near.port, token));
    await this.#say(phone.page, "run echo begun then count to 40");
    await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
    this.#session = /s\/(.*)/.exec(phone.page.url())?.[1] ?? "";
    const desk = await openPage(
      this.#browser,
      pageUrl(far.port, token, this.#session),
      { viewport: { width: 1280, height: 800 } },
    );
    await desk.page.getByRole("button", { name: "Allow once" }).click();
    this.#pages = [phone, desk];
    await phone.page.locator(".item-assistant", { hasText: "1 2 3" })
      .waitFor();
    await this.#say(phone.page, "count to 3, steered");
  }

  /** Something is said, approved or under way when something fails. */
  async round(i: number): Promise<void> {
    const mine = i % 2;
    const { page } = this.#pages[mine] as Opened;
    const network = this.#world.networks[mine] as CutProxy;
    const failing = this.#fail(page, network, this.#world.served);
    const before = Math.floor(this.#random() * 400);
    const late = this.#random() < 0.3;
    const saying = async () => {
      if (late) await sleep(before / 2);
      await this.#say(page, this.#wish(i));
      await this.#approve(this.#random() < 0.7 ? 1200 : 100);
    };
    await Promise.all([sleep(before).then(failing), saying()]);
  }

  /** All is over: both pages show the store's fold, and each question once. */
  async end(): Promise<void> {
    const start = performance.now();
    while (!await this.#isOver()) {
      assert(performance.now() - start < 180_000, await this.#report());
      await this.#approve(300);
    }
    const state = await this.#stored();
    const expected = namesOf(state);
    const texts = textsOf(state);
    for (const opened of this.#pages) {
      const { page } = opened;
      await showAll(page);
      assert.deepEqual(await conversation(page), expected);
      assert.deepEqual(await shownTexts(page), texts);
      assertFine(opened);
    }
    const users = state.messages.flatMap((m) =>
      m.role === "user" ? [contentText(m.content)] : []
    );
    // One that a kill left without any answer is kept as the failure it is.
    const failed = state.errors.map((e) => contentText(e.prompt ?? e.question));
    for (const text of this.#asked) {
      const times = users.filter((user) => user === text).length;
      const kept = failed.some((prompt) => prompt.includes(text));
      assert(times === 1 || times === 0 && kept, `${text}: ${times} times`);
    }
  }

  #wish(i: number): string {
    const wishes = [
      `count to ${20 + i}`,
      `run echo ${i} then count to 10`,
      `read README.md then think about ${i}`,
      `write note-${i}.txt: ${i} then count to 12`,
      `think about ${i}`,
    ];
    return wishes[Math.floor(this.#random() * wishes.length)] ?? "";
  }

  /** Chooses what fails; the returned function makes it fail, and mends it. */
  #fail(page: Page, network: CutProxy, served: Served): () => Promise<void> {
    const choice = this.#random();
    const pause = 50 + this.#random() * 600;
    if (choice < 0.35) {
      return async () => {
        network.cut();
        await sleep(pause);
        network.mend();
      };
    }
    if (choice < 0.5) {
      return async () => {
        network.stall();
        await sleep(pause);
        network.mend();
      };
    }
    if (choice < 0.65) {
      return async () => {
        await page.context().setOffline(true);
        network.cut();
        await sleep(pause);
        network.mend();
        await page.context().setOffline(false);
      };
    }
    if (choice < 0.85) return () => this.#reload(page);
    return async () => {
      await served.kill();
      await sleep(pause);
      await served.start();
    };
  }

  async #say(page: Page, text: string): Promise<void> {
    const unique = `${text} (${this.#asked.length + 1})`;
    this.#asked.push(unique);
    while (!await this.#sent(page, unique)) await sleep(20);
  }

  /** Asks; false when a reload came between the two steps: then it was never sent. */
  async #sent(page: Page, text: string): Promise<boolean> {
    const before = this.#reloads;
    try {
      await ask(page, text);
    } catch (error) {
      if (!/navigation|closed|detached|destroyed/i.test(String(error))) {
        throw error;
      }
    }
    // In the list, at once: confirmed or not. Only the machine may be late.
    const bubble = page.locator(".bubble", { hasText: text });
    for (let tries = 0; tries < 12; tries++) {
      const shown = await bubble.first().waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (shown || this.#reloads > before) return shown;
    }
    return false;
  }

  // A page whose network is down opens by what its worker keeps.
  async #reload(page: Page): Promise<void> {
    this.#reloads++;
    await page.reload();
    await page.locator(".composer textarea").waitFor();
  }

  /** Says yes on whichever page has the question, for a while. */
  async #approve(ms: number): Promise<void> {
    const end = performance.now() + ms;
    while (performance.now() < end) {
      for (const { page } of this.#pages) {
        const button = page.getByRole("button", { name: "Allow once" });
        if (await button.count() === 0) continue;
        await button.first().click({ timeout: 1_000 }).catch(() => {}); // gone
      }
      await sleep(20);
    }
  }

  async #isOver(): Promise<boolean> {
    for (const { page } of this.#pages) {
      const busy = await page.locator(".working, .item-pending").count();
      const offline = await page.locator(".connection p").count();
      if (busy + offline > 0) return false;
    }
    const state = await this.#stored();
    if (state.open !== undefined) return false;
    for (const { page } of this.#pages) {
      await showAll(page);
      const shown = await conversation(page);
      if (shown.length < namesOf(state).length) return false;
    }
    return true;
  }

  async #stored(): Promise<SessionState> {
    const dir = join(this.#world.project, ".mm", "sessions");
    await using store = new JsonStore(dir);
    const state = await store.read(this.#session);
    assert(state, `${this.#session} is not in the store`);
    return state;
  }

  async #report(): Promise<string> {
    const texts = textsOf(await this.#stored()).slice(-8);
    const shown = await Promise.all(
      this.#pages.map(async ({ page }) => (await shownItems(page)).slice(-8)),
    );
    const asked = this.#asked.slice(-8);
    return `It comes to no end: ${JSON.stringify({ asked, texts, shown })}`;
  }
}

async function showAll(page: Page): Promise<void> {
  const earlier = page.locator("button.earlier");
  while (await earlier.count() > 0) await earlier.click();
}

/** What a page shows of the record: notes stand beside it. */
async function conversation(page: Page): Promise<string[]> {
  const shown = await shownItems(page);
  return shown.filter((item) => !item.startsWith("note "));
}

function namesOf(state: SessionState): string[] {
  return [...replay(state)].map((item) =>
    item.type === "tool"
      ? `tool ${item.call.id}`
      : `${item.type} ${"id" in item ? item.id : ""}`
  );
}

function textsOf(state: SessionState): string[] {
  return [...replay(state)].flatMap((item) => {
    if (item.type === "user") return [bare(contentText(item.content))];
    return item.type === "assistant" ? [bare(item.text)] : [];
  });
}

async function shownTexts(page: Page): Promise<string[]> {
  const texts = await page.locator(
    ".item-user .bubble, .item-assistant .markdown",
  ).allTextContents();
  return texts.map(bare);
}

// Markdown is drawn: what is left to compare are the letters and digits.
function bare(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, " ").trim();
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ state >>> 15, 1 | state);
    t = t + Math.imul(t ^ t >>> 7, 61 | t) ^ t;
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
