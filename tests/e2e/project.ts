import { join } from "node:path";
import { TempDir } from "../temp_dir.ts";

/** Runs `work` in a fresh project folder with the demo model, quick enough for tests. */
export async function inProject(
  work: (project: string) => Promise<void>,
): Promise<void> {
  await using dir = await TempDir.make();
  await Deno.writeTextFile(
    join(dir.path, "agent.yaml"),
    "model: {use: demo, delay: 1}\n",
  );
  await Deno.writeTextFile(join(dir.path, "README.md"), "# A project\n");
  await work(dir.path);
}
