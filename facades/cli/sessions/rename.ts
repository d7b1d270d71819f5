import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { named } from "../named.ts";
import { printJson, say } from "../output.ts";
import { UsageError } from "../usage_error.ts";
import { openSessions } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";

/** `mm sessions rename`: another title. */
export async function rename(
  ref: string,
  title: string,
  { json }: JsonOption,
  flags: Flags,
): Promise<number> {
  if (!title.trim()) throw new UsageError("Cannot rename: the title is empty");
  await using agent = await openSessions(flags, { writes: true });
  const id = await named(agent, ref);
  const session = await agent.session(id);
  if (!session) {
    throw new UsageError(
      `Cannot find session "${id}": list them with mm sessions list`,
    );
  }
  await session.rename(title);
  if (json) await printJson({ id: session.id, title: session.state.title });
  else if (!flags.quiet) {
    say(`Renamed ${session.id} to "${session.state.title}"`);
  }
  return EXIT.ok;
}
