import assert from "node:assert/strict";
import { join } from "node:path";
import { startMm } from "../mm.ts";
import { inProject } from "./project.ts";

/** Questions in all, half from each process; a release is tried with MM_APPENDS=200. */
const APPENDS = Number(Deno.env.get("MM_APPENDS") ?? 20);

Deno.test("two processes that write to one session at once lose nothing", async () => {
  await inProject(async (project) => {
    await (await ask(project, ["first"], [])).output();
    const questions = (who: string) =>
      Array.from({ length: APPENDS / 2 }, (_, i) => `${who} question ${i}`);
    const all = [...questions("left"), ...questions("right")];
    const both = await Promise.all([
      ask(project, questions("left"), ["--session", "-1"]),
      ask(project, questions("right"), ["--session", "-1"]),
    ]);
    const ends = await Promise.all(both.map((child) => child.output()));
    const text = new TextDecoder();
    for (const { code, stderr } of ends) {
      assert.equal(code, 0, text.decode(stderr));
    }
    const told = ends.map(({ stderr }) => text.decode(stderr)).join("");
    assert.match(told, /another process/i);

    const sessions = join(project, ".mm/sessions");
    const asked: string[] = [];
    for await (const { name } of Deno.readDir(sessions)) {
      if (!name.endsWith(".json")) continue;
      const state = JSON.parse(await Deno.readTextFile(join(sessions, name)));
      assert.equal(state.open, undefined, `${name} has an unsettled turn`);
      for (const { role, content } of state.messages) {
        if (role === "user") asked.push(content);
      }
    }
    for (const question of all) {
      assert.equal(
        asked.filter((q) => q === question).length >= 1,
        true,
        `"${question}" is lost`,
      );
    }
  });
});

async function ask(
  project: string,
  questions: readonly string[],
  args: readonly string[],
): Promise<Deno.ChildProcess> {
  const child = await startMm(args, { cwd: project, stdin: "" });
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(questions.join("\n") + "\n"));
  await writer.close();
  return child;
}
