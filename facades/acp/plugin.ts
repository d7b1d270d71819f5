import { _default, optional, strictObject, string } from "zod/mini";
import { defineFacade, type FacadePlugin } from "../../core/plugin.ts";
import { messageLine, openLog } from "./log.ts";
import { serve } from "./serve.ts";

/** Editors, by the Agent Client Protocol over stdin and stdout. */
export const plugin: FacadePlugin = defineFacade({
  name: "acp",
  options: strictObject({
    /** Told to the client. */
    version: _default(string(), "0"),
    /** A file for what would go to stderr, and a line for each message. */
    log: optional(string()),
  }),
  async run({ version, log: file }, host) {
    using log = openLog(file);
    // Only ACP goes to stdout, whoever prints.
    for (const name of ["log", "info", "debug", "warn", "error"] as const) {
      console[name] = (...values) => log.write(...values);
    }
    for (const notice of host.notices) log.write(notice);
    await serve(host, {
      edges: { input: Deno.stdin.readable, write: writeAll },
      version,
      ...(file !== undefined && {
        onMessage: (way, message) => log.write(messageLine(way, message)),
      }),
    });
    return 0;
  },
});

async function writeAll(bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    at += await Deno.stdout.write(bytes.subarray(at));
  }
}
