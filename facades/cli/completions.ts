import BASH from "./completions/bash.txt" with { type: "text" };
import FISH from "./completions/fish.txt" with { type: "text" };
import ZSH from "./completions/zsh.txt" with { type: "text" };
import { EXIT } from "./exit.ts";
import { print } from "./output.ts";

/** `mm completions`: a script that asks `mm` itself, so it never gets old. */
export async function completions(
  shell: keyof typeof SCRIPTS,
): Promise<number> {
  await print(SCRIPTS[shell]);
  return EXIT.ok;
}

const SCRIPTS = { bash: BASH, zsh: ZSH, fish: FISH };
