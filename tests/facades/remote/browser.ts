/// <reference lib="dom" />
import assert from "node:assert/strict";
import axe from "axe-core";
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright-core";
import { until } from "../../until.ts";

const PLACES = [
  Deno.env.get("MM_CHROMIUM") ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const program = PLACES.find((path) => path && exists(path));

/** Registers a test in a real browser; where there is none it is skipped, and its name says why. */
export function browserTest(
  name: string,
  run: (browser: Browser) => Promise<void>,
): void {
  const reason = program ? "" : " (skipped: no Chromium here, see MM_CHROMIUM)";
  Deno.test({
    name: `${name}${reason}`,
    ignore: !program,
    // The driver of the browser keeps its own timers and pipes.
    sanitizeOps: false,
    sanitizeResources: false,
    async fn() {
      const browser = await chromium.launch({
        executablePath: program ?? "",
        args: ["--no-sandbox"],
      });
      try {
        await run(browser);
      } finally {
        await browser.close();
      }
    },
  });
}

/** A page of mm, and all that went wrong in it. */
export interface Opened {
  readonly page: Page;
  /** Dialogs, errors, violations of the policy, requests to other hosts: none is right. */
  readonly problems: string[];
}

/** Opens `url` in a browser of its own: nothing is kept from other pages. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 780 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const problems: string[] = [];
  watch(page, new URL(url).host, problems);
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      console.error(`POLICY ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  await page.goto(url);
  return { page, problems };
}

/** The address that lets a page in. */
export function pageUrl(port: number, token: string, session?: string): string {
  const route = session === undefined ? "" : `/s/${session}&`;
  return `http://127.0.0.1:${port}/#${route}token=${token}`;
}

/** What the page shows: `kind id` of each item, in order. */
export function shownItems(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(
      document.querySelectorAll<HTMLElement>("[data-kind]"),
      ({ dataset }) => `${dataset.kind} ${dataset.id}`,
    )
  );
}

/** Asks as a person does. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.fill(".composer textarea", text);
  await page.click(".composer .send");
}

/** Resolves once the page shows a text; fails after some seconds. */
export async function shows(page: Page, text: string): Promise<void> {
  await page.locator(".items", { hasText: text }).waitFor();
}

/** Resolves once the browser keeps a text: in its copies of conversations, or of what is to be sent. */
export async function keeps(
  page: Page,
  where: "copies" | "outgoing",
  text: string,
): Promise<void> {
  await until(async () => {
    const kept = await page.evaluate(async (where) => {
      const name = `mm-${where}`;
      // Opening one that is not there would make it.
      const all = await indexedDB.databases();
      if (!all.some((database) => database.name === name)) return "";
      const answer = <T>(request: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          request.onsuccess = () => resolve(request.result);
          request.onerror = () => reject(request.error);
        });
      const database = await answer(indexedDB.open(name));
      try {
        const store = database.transaction(where).objectStore(where);
        return JSON.stringify(await answer(store.getAll()));
      } finally {
        database.close();
      }
    }, where);
    return kept.includes(text);
  }, `"${text}" among the ${where}`);
}

/** The rules of accessibility that a page breaks, and where. */
export async function violations(page: Page): Promise<string[]> {
  // Not by a script element, which the policy of the page forbids.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run()
  );
  return violations.map(({ id, impact, nodes }) =>
    `${impact} ${id}: ${nodes.map((n) => n.html.slice(0, 200)).join(" | ")}`
  );
}

/** Nothing went wrong in the page. */
export function assertFine({ problems }: Opened): void {
  assert.deepEqual(problems, []);
}

function watch(page: Page, host: string, problems: string[]): void {
  page.on("dialog", async (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.stack}`));
  page.on("console", (message) => {
    const text = message.text();
    // A network that was cut is told there too.
    if (message.type() === "error" && !/net::ERR_|WebSocket/.test(text)) {
      problems.push(`console: ${text}`);
    }
  });
  page.on("request", (request) => {
    const url = new URL(request.url());
    const ours = url.host === host || /^(?:data|blob):$/.test(url.protocol);
    if (!ours) problems.push(`request: ${url}`);
  });
  page.on("popup", () => problems.push("a window opened"));
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
