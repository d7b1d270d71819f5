import type { Agent } from "../../core/agent.ts";
import { assemble } from "../../core/assemble.ts";
import { checkOptions } from "../../core/config.ts";
import type { FacadeHost } from "../../core/facade.ts";
import type { FacadePlugin } from "../../core/plugin.ts";
import { facades } from "../table.ts";
import { mayColor } from "./color.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { prepare } from "./prepare.ts";
import { serveOptions } from "./serve_options.ts";
import { Stop } from "./stop.ts";
import { version } from "./version.ts";

/** The flags of `mm serve`. */
export interface ServeFlags {
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly insecure?: true | undefined;
  readonly name?: readonly string[] | undefined;
  readonly open?: true | undefined;
  readonly json?: true | undefined;
  readonly acp?: true | undefined;
}

/** Serves the project's conversations to web pages and terminals. Resolves to the exit code. */
export async function serve(
  serveFlags: ServeFlags,
  flags: Flags,
): Promise<number> {
  const { parts, notices, place } = await prepare(flags, {
    asks: !serveFlags.acp,
    inSessions: true,
    talks: true,
    served: { host: serveFlags.host },
  });
  const remote = await facade("remote");
  const options = checkOptions(
    remote.options,
    await serveOptions(serveFlags, {
      config: parts.config.serve,
      project: place.project,
    }),
    ["serve"],
  );
  await using agent: Agent = await assemble(parts);
  using stop = new Stop();
  const host: FacadeHost = {
    agent,
    output: "text",
    signal: stop.signal,
    color: mayColor(serveFlags.acp ? Deno.stderr : Deno.stdout),
    quiet: flags.quiet ?? false,
    notices: [...agent.model.notice ? [agent.model.notice] : [], ...notices],
  };
  const code = await stop.orEnd(
    serveFlags.acp
      ? withEditor(host, (shared) => remote.run(options, shared))
      : remote.run(options, host),
  );
  return stop.code ?? code ?? EXIT.failed;
}

/** Serves an editor on stdin and stdout beside `serve`, until one of the two ends. */
async function withEditor(
  host: FacadeHost,
  serve: (host: FacadeHost) => Promise<number>,
): Promise<number> {
  const acp = await facade("acp");
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const shared = { ...host, signal };
  const end = () => ended.abort();
  const work = [
    acp.run(checkOptions(acp.options, { version }, ["acp"]), shared),
    // What there is to tell was told to the editor's log.
    serve({ ...shared, notices: [] }),
  ];
  for (const one of work) one.then(end, end);
  const codes = await Promise.all(work);
  return Math.max(...codes);
}

async function facade(name: string): Promise<FacadePlugin> {
  const plugin = await facades[name]?.();
  if (plugin) return plugin;
  throw new TypeError(`Cannot find the facade "${name}"`);
}
