import { clean } from "../clean.ts";
import { confirm } from "../confirm.ts";
import { say } from "../output.ts";
import { findNamed, type Module } from "./module.ts";
import { trust, trustedFile } from "./trusted.ts";

/** Asks, where somebody can answer, about each plugin that is not trusted yet. */
export async function askTrust(
  names: readonly string[],
  project: string,
): Promise<void> {
  if (!Deno.stdin.isTerminal() || !Deno.stderr.isTerminal()) return;
  for (const name of names) {
    const module = await findNamed(name, project);
    if (await trustedFile(module.hash) !== undefined) continue;
    await agreeTo(module);
  }
}

/** Shows what a plugin is and asks; trusts it when the answer is yes. */
export async function agreeTo(module: Module): Promise<boolean> {
  const bytes = await module.bytes();
  say(clean(`Plugin ${module.name} (${bytes.length} bytes)`));
  say(`sha256 ${module.hash}`);
  say("It is code that runs with all your rights, as mm does.");
  if (!await confirm("Trust exactly this code?")) return false;
  await trust(bytes);
  return true;
}
