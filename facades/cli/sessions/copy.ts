import { Agent } from "../../../core/agent.ts";
import { parseUse } from "../../../core/config.ts";
import { same } from "../../../core/same.ts";
import type { Store } from "../../../core/store.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { named } from "../named.ts";
import { printJson } from "../output.ts";
import { openPlace } from "../open_place.ts";
import { UsageError } from "../usage_error.ts";
import { copyAll, everyId, tellCopied } from "./copy_all.ts";
import { NO_MODEL } from "./open_sessions.ts";
import type { JsonOption } from "./program.ts";
import { openUse, useOf } from "./store_of.ts";

/** From where to where. */
export interface CopyOptions extends JsonOption {
  /** Default: the configured store. */
  readonly from?: string | undefined;
  /** Default: the configured store. */
  readonly to?: string | undefined;
}

/** `mm sessions copy`: conversations into another store, each one read back and compared. */
export async function copy(
  refs: readonly string[],
  { json, ...options }: CopyOptions,
  flags: Flags,
): Promise<number> {
  const where = await openPlace(flags, { writes: true });
  const { store: configured } = where.loaded.config.sessions;
  const [fromUse, toUse] = (["from", "to"] as const).map((key) => {
    const text = options[key];
    return text === undefined ? configured : useOf(text, where, `--${key}`);
  }) as [typeof configured, typeof configured];
  if (same(fromUse, toUse)) {
    throw new UsageError(
      `Cannot copy from "${
        parseUse(fromUse).name
      }" to itself: give two stores by --from and --to`,
    );
  }
  await using from = await openUse(fromUse, where, "--from");
  await using to = await openUse(toUse, where, "--to");
  if (!to.supports.durable) {
    throw new UsageError(
      `Cannot copy to "${to.name}": it keeps nothing when mm ends`,
    );
  }
  const ids = refs.length > 0
    ? await idsOf(refs, from, where.place.cwd)
    : await everyId(from);
  const result = await copyAll(ids, from, to, {
    quiet: flags.quiet ?? json ?? false,
  });
  if (json) {
    await printJson({ from: from.name, to: to.name, sessions: result.items });
  } else if (!flags.quiet || result.left.length > 0) {
    tellCopied(result, from.name, to.name);
  }
  return result.left.length > 0 ? EXIT.failed : EXIT.ok;
}

async function idsOf(
  refs: readonly string[],
  store: Store,
  cwd: string,
): Promise<readonly string[]> {
  const agent = new Agent({ cwd, model: NO_MODEL, store }); // closed with the store
  const { items } = await store.list({ limit: 1 });
  if (items.length === 0) {
    throw new UsageError(
      `Cannot copy "${refs[0]}": no conversation is in ${store.name}`,
    );
  }
  const ids = new Set<string>();
  for (const ref of refs) ids.add(await named(agent, ref));
  return [...ids];
}
