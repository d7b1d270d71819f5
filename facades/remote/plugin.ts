import { pid } from "node:process";
import type { FacadeHost } from "../../core/facade.ts";
import { defineFacade, type FacadePlugin } from "../../core/plugin.ts";
import { systemFailure } from "../../core/system_error.ts";
import { addresses } from "./server/address.ts";
import {
  type Announcement,
  bareLines,
  forPeople,
  jsonLine,
  link,
} from "./server/announce.ts";
import { assertAlone, keepNote } from "./server/note.ts";
import { openBrowser } from "./server/open_browser.ts";
import { Options, type ServeOptions } from "./server/options.ts";
import { openServer } from "./server/remote_server.ts";

/** Web pages and terminals anywhere, by HTTP and WebSocket. */
export const plugin: FacadePlugin = defineFacade({
  name: "remote",
  options: Options,
  async run(options, { agent, signal, color, quiet, notices }) {
    if (options.note !== undefined) await assertAlone(options.note);
    await using server = await openServer(agent, options);
    const { host, names, tls, version, note } = options;
    const { port, token } = server;
    const reached = addresses({ host, port, secure: tls !== undefined, names });
    await using _ = note === undefined ? undefined : await keepNote(note, {
      url: reached.here,
      token,
      version,
      ...(tls && { cert: tls.cert }),
    });
    for (const notice of quiet ? [] : notices) tell(Deno.stderr, `${notice}\n`);
    announce(options, { ...reached, token, version, pid }, { color, quiet });
    if (options.open) openBrowser(link(reached.here, server.ticket()));
    await aborted(signal);
    return 0;
  },
});

function announce(
  { announce, stdoutTaken }: ServeOptions,
  announcement: Announcement,
  { color, quiet }: Pick<FacadeHost, "color" | "quiet">,
): void {
  const out = stdoutTaken ? Deno.stderr : Deno.stdout;
  if (announce === "json") return tell(out, jsonLine(announcement));
  const short = quiet || !out.isTerminal();
  tell(out, short ? bareLines(announcement) : forPeople(announcement, color));
}

// Whoever started it may have closed what it prints to, and goes on being served.
function tell(out: typeof Deno.stdout, text: string): void {
  const bytes = new TextEncoder().encode(text);
  try {
    for (let at = 0; at < bytes.length;) {
      at += out.writeSync(bytes.subarray(at));
    }
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return;
    throw systemFailure("tell where the server is", error);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
