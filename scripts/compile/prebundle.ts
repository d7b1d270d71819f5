import { join } from "node:path";
import { reason, run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";

/** Bundles a package by itself into a file in `dir`, and returns the file's path. */
export async function prebundle(
  dir: string,
  name: string,
  ...options: readonly string[]
): Promise<string> {
  const file = name.replace(/\W+/g, "_");
  const entry = join(dir, `${file}_entry.ts`);
  const bundled = join(dir, `${file}.js`);
  await Deno.writeTextFile(entry, `export * from ${JSON.stringify(name)};\n`);
  const outcome = await run(Deno.execPath(), [
    "bundle",
    "--quiet",
    "--config=deno.json",
    ...options,
    `--output=${bundled}`,
    entry,
  ]);
  if (outcome.ok) return bundled;
  throw new Failure(`Cannot bundle ${name}: ${reason(outcome)}`);
}
