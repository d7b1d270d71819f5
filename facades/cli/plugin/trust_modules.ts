import { UsageError } from "../usage_error.ts";
import { agreeTo } from "./ask_trust.ts";
import { findModule, type Module } from "./module.ts";
import { trust, trustedFile } from "./trusted.ts";

/** Trusts the code of plugins from outside; undefined when the user does not. */
export async function trustModules(
  names: readonly string[],
  project: string,
  yes: boolean,
): Promise<Module[] | undefined> {
  const modules: Module[] = [];
  for (const name of names) {
    const module = await findModule(name, project);
    if (!await ensureTrusted(module, yes)) return undefined;
    modules.push(module);
  }
  return modules;
}

/** Trusts a plugin's code by `--yes` or an answer; false when the answer is no. */
export async function ensureTrusted(
  module: Module,
  yes: boolean,
): Promise<boolean> {
  if (await trustedFile(module.hash) !== undefined) return true;
  if (yes) {
    await trust(await module.bytes());
    return true;
  }
  if (Deno.stdin.isTerminal()) return await agreeTo(module);
  throw new UsageError(
    `Cannot trust plugin "${module.name}" (sha256 ${module.hash}) without asking: read it, then add --yes`,
  );
}
