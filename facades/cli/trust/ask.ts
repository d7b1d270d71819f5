import { powerLine } from "../../../core/power_line.ts";
import type { Power } from "../../../core/powers.ts";
import { clean } from "../clean.ts";
import { confirm } from "../confirm.ts";
import { say } from "../output.ts";

/** Shows what a project's configuration would do, and asks. */
export async function agreeToPowers(
  powers: readonly Power[],
  project: string,
): Promise<boolean> {
  showPowers(powers, project);
  // The number: a long list may begin above the screen.
  return await confirm(
    powers.length === 1
      ? "Let it do exactly this?"
      : `Let it do exactly these ${powers.length}?`,
  );
}

/** Lists it, a line each. */
export function showPowers(powers: readonly Power[], project: string): void {
  say(clean(`Without asking you, agent.yaml in ${project} would`));
  for (const power of powers) say(clean(`  ${powerLine(power)}`));
}
