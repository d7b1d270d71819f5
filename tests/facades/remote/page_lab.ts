import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Step } from "../../scripted_model.ts";
import { assertFine, openPage, pageUrl } from "./browser.ts";
import {
  type ServerLab,
  serverLab,
  type ServerLabOptions,
  TOKEN,
} from "./server_lab.ts";

/** A page on a server of its own. Disposing fails when anything went wrong in the page. */
export interface PageLab extends AsyncDisposable {
  readonly page: Page;
  readonly lab: ServerLab;
}

/** Serves a model that says `steps`, and opens the page. */
export async function pageLab(
  browser: Browser,
  steps: readonly Step[],
  options: { page?: BrowserContextOptions; lab?: ServerLabOptions } = {},
): Promise<PageLab> {
  const lab = await serverLab(steps, options.lab);
  const url = pageUrl(lab.server.port, TOKEN);
  const opened = await openPage(browser, url, options.page);
  return {
    lab,
    page: opened.page,
    async [Symbol.asyncDispose]() {
      try {
        assertFine(opened);
      } finally {
        await lab[Symbol.asyncDispose]();
      }
    },
  };
}
