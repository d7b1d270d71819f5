import "./jitless.ts";
import type { Agent } from "../../core/agent.ts";
import { assemble } from "../../core/assemble.ts";
import { checkOptions } from "../../core/config.ts";
import { facades } from "../table.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { findPlace, type Place } from "./place.ts";
import { prepare, prepareAt } from "./prepare.ts";
import { Stop } from "./stop.ts";
import { version } from "./version.ts";

/** Serves an editor over stdin and stdout. Resolves to the exit code. */
export async function acp(
  { log }: { readonly log?: string | undefined },
  flags: Flags,
): Promise<number> {
  const loading = facades.acp?.();
  const { parts, notices, place } = await prepare(flags, EDITOR);
  await using agent = await assemble(parts);
  await using others = new Agents(flags, place.project, agent);
  using stop = new Stop();
  const plugin = await loading;
  if (!plugin) throw new TypeError("Cannot find the ACP facade");
  const options = { version, ...(log !== undefined && { log }) };
  await stop.orEnd(plugin.run(checkOptions(plugin.options, options, ["acp"]), {
    agent,
    agentFor: (cwd) => others.of(cwd),
    output: "text",
    signal: stop.signal,
    color: false,
    quiet: flags.quiet ?? false,
    notices: [
      ...agent.model.notice ? [agent.model.notice] : [],
      ...notices,
    ],
  }));
  return stop.code ?? EXIT.ok;
}

// Stdin is the editor's, and what is said at the start goes to its log.
const EDITOR = { inSessions: true, talks: true } as const;

/** One agent for each project an editor works in, so that no session has two. */
class Agents implements AsyncDisposable {
  readonly #flags: Flags;
  readonly #open = new Map<string, Promise<Agent>>();

  constructor(flags: Flags, project: string, agent: Agent) {
    this.#flags = flags;
    this.#open.set(project, Promise.resolve(agent));
  }

  async of(cwd: string): Promise<Agent> {
    const place = await findPlace(cwd);
    const known = this.#open.get(place.project);
    if (known) return await known;
    const opening = this.#assemble(place);
    this.#open.set(place.project, opening);
    // A configuration that was wrong may be mended without a restart.
    opening.catch(() => this.#open.delete(place.project));
    return await opening;
  }

  async #assemble(place: Place): Promise<Agent> {
    const { parts, atWork } = await prepareAt(place, this.#flags, EDITOR);
    try {
      return await assemble(parts);
    } catch (error) {
      atWork?.[Symbol.dispose]();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await Promise.allSettled(this.#open.values());
    await Promise.all(
      opened.map((result) =>
        result.status === "fulfilled"
          ? result.value[Symbol.asyncDispose]()
          : null
      ),
    );
  }
}
