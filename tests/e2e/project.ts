import { join } from "node:path";
import { removeDir } from "../temp_dir.ts";

/** Runs `work` in a fresh project folder with the demo model, quick enough for tests. */
export async function inProject(
  work: (project: string) => Promise<void>,
): Promise<void> {
  const project = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(
      join(project, "agent.yaml"),
      "model: {use: demo, delay: 1}\n",
    );
    await Deno.writeTextFile(join(project, "README.md"), "# A project\n");
    await work(project);
  } finally {
    await removeDir(project);
  }
}
