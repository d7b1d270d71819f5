import { openStore, type Parts } from "../../core/assemble.ts";
import { errorLine, UnreadableError } from "../../core/error.ts";
import { isId } from "../../core/id.ts";
import type { Store, Summary } from "../../core/store.ts";
import type { Check } from "./checks.ts";

/** Can every conversation be read, and is the store itself in good order? */
export async function checkSessions(
  parts: Parts,
  repair: boolean,
): Promise<readonly Check[]> {
  const name = "sessions";
  const checks: Check[] = [];
  try {
    await using store = await openStore(parts);
    if (!store) {
      const detail = "not kept (sessions.enabled: false)";
      return [{ name, status: "ok", detail }];
    }
    for await (const finding of store.check?.(repair) ?? []) {
      checks.push({ name: "store", ...finding });
    }
    return [...await checkAll(store), ...checks];
  } catch (error) {
    return [...checks, { name, status: "fail", detail: errorLine(error) }];
  }
}

async function checkAll(store: Store): Promise<readonly Check[]> {
  const { items } = await store.list({ limit: Number.MAX_SAFE_INTEGER });
  return [...await readAll(store, items), ...checkExpiry(store, items)];
}

// Before it happens: nobody can undo it.
function checkExpiry(store: Store, items: readonly Summary[]): Check[] {
  const old = items.filter((summary) => store.expires?.(summary)).length;
  if (old === 0) return [];
  const detail =
    `the next question removes ${old}, untouched for longer than ${store.name} keeps any`;
  return [{ name: "sessions", status: "warn", detail }];
}

// A listing reads only the heads: what is wrong further on shows here.
async function readAll(
  store: Store,
  items: readonly Summary[],
): Promise<readonly Check[]> {
  const bad: Check[] = [];
  for (const summary of items) {
    const reason = summary.unreadable ?? await problemOf(store, summary);
    if (reason === undefined) continue;
    const { id } = summary;
    // Nobody will ask for what was set aside.
    const status = isId(id) ? "fail" : "warn";
    bad.push({ name: "sessions", status, detail: `${id}: ${reason}` });
  }
  const detail = `${items.length - bad.length} readable (${store.name})`;
  return [{ name: "sessions", status: "ok", detail }, ...bad];
}

async function problemOf(
  store: Store,
  { id }: Summary,
): Promise<string | undefined> {
  try {
    await store.read(id);
    return undefined;
  } catch (error) {
    if (error instanceof UnreadableError) return errorLine(error);
    throw error;
  }
}
