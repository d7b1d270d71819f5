import type { StoredFailure } from "../../../core/fold.ts";
import { clean } from "../clean.ts";
import { painter } from "../color.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson, say } from "../output.ts";
import { openOne } from "./open_one.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";

/** `mm sessions errors`: what went wrong in a conversation, oldest first. */
export async function errors(
  ref: string | undefined,
  { json }: JsonOption,
  flags: Flags,
): Promise<number> {
  await using agent = await openSessions(flags);
  const { id, state } = await openOne(agent, ref, flags);
  if (json) await printJson(state.errors);
  else await print(state.errors.map(entry).join(""));
  if (state.errors.length === 0 && !flags.quiet) {
    say(`No errors in session ${id}`);
  }
  return EXIT.ok;
}

function entry({ at, kind, line, question, raw }: StoredFailure): string {
  const paint = painter();
  const when = `${at.slice(0, 19).replace("T", " ")} UTC`;
  const details = [
    ...question ? [`asked: ${question}`] : [],
    ...raw ? raw.slice(0, 2000).trimEnd().split("\n") : [],
  ];
  return `${paint("dim", when)} ${kind}: ${paint("red", line)}\n` +
    details.map((detail) => `  ${clean(detail)}\n`).join("");
}
