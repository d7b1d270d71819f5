import { openBundles, openCompactor, type Parts } from "../../core/assemble.ts";
import { type NamedBundle, withoutClashes } from "../../core/clashes.ts";
import { errorLine } from "../../core/error.ts";
import type { Check } from "./checks.ts";

/** Can everything else that an agent is made of be opened, and do its servers start? */
export async function checkPlugins(parts: Parts): Promise<readonly Check[]> {
  const [compactor, bundles] = await Promise.all([
    failing("compaction", async () => {
      await openCompactor(parts);
      return [];
    }),
    failing("plugins", async () => {
      return await checkBundles(await openBundles(parts), parts);
    }),
  ]);
  return [...compactor, ...bundles];
}

async function checkBundles(
  opened: readonly NamedBundle[],
  { host }: Parts,
): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const bundles = withoutClashes(
    opened,
    (detail) => checks.push({ name: "plugins", status: "warn", detail }),
  );
  const request = { servers: [], cwd: host.project };
  for (const { name = "plugins", serve } of bundles) {
    const found = await failing(name, async () => {
      await using served = await serve?.(request, new AbortController().signal);
      return (served?.problems ?? [])
        .map((detail) => ({ name, status: "fail", detail }) as const);
    });
    checks.push(...found);
  }
  const detail = opened.map(({ name }) => name).join(", ");
  return [{ name: "plugins", status: "ok", detail }, ...checks];
}

async function failing(
  name: string,
  look: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  try {
    return await look();
  } catch (error) {
    return [{ name, status: "fail", detail: errorLine(error) }];
  }
}
