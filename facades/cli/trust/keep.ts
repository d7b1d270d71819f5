import type { Power } from "../../../core/powers.ts";
import { clean } from "../clean.ts";
import { say } from "../output.ts";

/** Trusts a project with what a command of the user's wrote there. */
export async function keepTrust(
  powers: readonly Power[],
  project: string,
): Promise<void> {
  if (powers.length === 0) return;
  const { remember } = await import("./remember.ts");
  for (const line of await remember(powers, project)) say(clean(line));
}
