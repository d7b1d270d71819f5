import type { AgentHandle } from "./handle.ts";
import { UserError } from "./error.ts";
import { isId } from "./id.ts";
import type { Summary } from "./store.ts";

/**
 * The session a person means by `ref`: its place in the list (`1` or `-1` is
 * the latest), its id or the end of it, or text of its title. `except` is the
 * session shown now, which the list does not count. Throws a UserError that
 * tells what there is.
 */
export async function findSession(
  agent: AgentHandle,
  ref: string,
  except?: string,
): Promise<string> {
  if (isId(ref)) return ref;
  const text = ref.trim();
  const place = /^-?(\d{1,6})$/.exec(text)?.[1];
  if (place !== undefined) {
    const nth = await nthSession(agent, Number(place), except);
    if (nth) return nth.id;
  }
  const found = text
    ? (await agent.list({ text, limit: 50 })).items.filter((s) =>
      s.id !== except && (place === undefined || named(s, text))
    ).slice(0, 4)
    : [];
  const [only, ...more] = found;
  if (only && more.length === 0) return only.id;
  if (only) {
    const names = found.map((s) => `${s.id} "${s.title}"`).join(", ");
    throw new UserError(
      `Cannot tell which session "${ref}" means: ${names}; give its id`,
    );
  }
  const latest = await nthSession(agent, 1, except);
  const hint = latest
    ? "list them with /sessions or `mm sessions list`"
    : `there is no ${except === undefined ? "" : "other "}conversation yet`;
  throw new UserError(`Cannot find session "${ref}": ${hint}`);
}

// Digits stand in every id: a number that is no place means a title, or the end of an id.
function named({ id, title }: Summary, digits: string): boolean {
  return title.includes(digits) || (digits.length >= 4 && id.endsWith(digits));
}

/** The nth (from 1) session, newest first, not counting `except`. */
async function nthSession(
  agent: AgentHandle,
  n: number,
  except?: string,
): Promise<Summary | undefined> {
  if (n < 1) return undefined;
  const { items } = await agent.list({ limit: n + 1 });
  return items.filter((s) => s.id !== except)[n - 1];
}
