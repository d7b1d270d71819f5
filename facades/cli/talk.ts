import "./jitless.ts";
import { assemble } from "../../core/assemble.ts";
import { checkOptions } from "../../core/config.ts";
import { facades } from "../table.ts";
import { mayColor } from "./color.ts";
import { comeBack } from "./come_back.ts";
import { EXIT } from "./exit.ts";
import type { Flags } from "./flags.ts";
import { resumed } from "./named.ts";
import { prepare } from "./prepare.ts";
import { Stop } from "./stop.ts";

/** What `mm run` asks, and how it is answered. */
export interface Question {
  readonly question: string;
  readonly output: "text" | "json";
}

/** Opens the terminal: a conversation, or one question. Resolves to the exit code. */
export async function talk(flags: Flags, ask?: Question): Promise<number> {
  const terminal = openTerminal();
  const { parts, notices } = await prepare(flags, {
    asks: ask?.output !== "json",
    talks: true,
  });
  await using agent = await assemble(parts);
  using stop = new Stop();
  const session = await resumed(agent, flags.session);
  const { plugin, options } = await terminal;
  const { notice } = agent.model;
  const code = await stop.orEnd(plugin.run(options, {
    agent,
    ...(session && { session }),
    output: "text",
    ...ask,
    signal: stop.signal,
    color: mayColor(Deno.stdout),
    quiet: flags.quiet ?? false,
    notices: [...notice ? [notice] : [], ...notices],
    comeBack: comeBack(flags),
  }));
  return stop.code ?? code ?? EXIT.failed;
}

async function openTerminal() {
  const plugin = await facades.terminal?.();
  if (!plugin) throw new TypeError("Cannot find the terminal facade");
  return { plugin, options: checkOptions(plugin.options, {}, ["terminal"]) };
}
