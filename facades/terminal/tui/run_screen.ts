import { errorLine } from "../../../core/error.ts";
import type { ScreenHost } from "../../../core/facade.ts";
import type { Edges } from "../edges.ts";
import { FAILED } from "../exit_code.ts";
import { Output } from "../output.ts";
import { farewell } from "../words.ts";
import { App } from "./app.ts";
import { onHangup } from "./hangup.ts";
import { History, historyPath } from "./history.ts";
import { makeTheme } from "./theme.ts";

/** Runs the conversation on a TTY; whatever happens, the terminal is given back as it was. */
export async function runScreen(
  host: ScreenHost,
  edges: Edges,
): Promise<number> {
  const theme = makeTheme(host.color);
  const err = new Output(edges.stderr);
  const app = new App(host, theme, new History(historyPath(edges.env)));
  onHangup(() => app.leave());
  const restore = guard(() => app.stop());
  let code: number;
  let problem: unknown;
  try {
    code = await app.run();
  } catch (error) {
    code = FAILED;
    problem = error;
  } finally {
    restore();
  }
  if (problem !== undefined) err.write(`${theme.bad(errorLine(problem))}\n`);
  const bye = farewell(app.session, host.comeBack);
  if (bye && !host.quiet) err.write(`${theme.dim(bye)}\n`);
  await err.flush();
  return code;
}

/** Calls `stop` once: when asked to, or when the process is about to die. */
function guard(stop: () => void): () => void {
  const events = ["error", "unhandledrejection", "unload"] as const;
  const once = () => {
    for (const event of events) globalThis.removeEventListener(event, once);
    stop();
  };
  for (const event of events) globalThis.addEventListener(event, once);
  return once;
}
