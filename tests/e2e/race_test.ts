import assert from "node:assert/strict";
import { join } from "node:path";
import { startMm } from "../mm.ts";
import { inProject } from "./project.ts";

/** Questions in all, half from each process; a release is tried with MM_APPENDS=200. */
const APPENDS = Number(Deno.env.get("MM_APPENDS") ?? 20);

Deno.test("two processes that write to one session at once lose nothing", async () => {
  await inProject(async (project) => {
    const first = await open(project);
    await first.ask(["first"]);
    const questions = (who: string) =>
      Array.from({ length: APPENDS / 2 }, (_, i) => `${who} question ${i}`);
    const all = [...questions("left"), ...questions("right")];
    const both = await Promise.all([
      open(project, ["--session", "-1"]),
      open(project, ["--session", "-1"]),
    ]);
    // Each has the session as it was: the second to write must notice.
    await Promise.all(both.map(({ resumed }) => resumed));
    const told = await Promise.all([
      both[0].ask(questions("left")),
      both[1].ask(questions("right")),
    ]);
    assert.match(told.join(""), /another process/i);

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

/** A process that waits for questions. */
interface Asked {
  /** Resolves once it has said that it goes on with a session. */
  readonly resumed: Promise<void>;
  /** Asks and ends; gives what it told beside the answers. */
  ask(questions: readonly string[]): Promise<string>;
}

async function open(
  project: string,
  args: readonly string[] = [],
): Promise<Asked> {
  const child = await startMm(args, { cwd: project, stdin: "" });
  const resumed = Promise.withResolvers<void>();
  const said = (async () => {
    let text = "";
    for await (
      const part of child.stderr.pipeThrough(new TextDecoderStream())
    ) {
      text += part;
      if (/Resumed/.test(text)) resumed.resolve();
    }
    resumed.resolve(); // or ended: its code tells why
    return text;
  })();
  const answers = new Response(child.stdout).text();
  return {
    resumed: resumed.promise,
    async ask(questions) {
      const lines = questions.map((question) => `${question}\n`).join("");
      await new Blob([lines]).stream().pipeTo(child.stdin);
      const [{ code }, told] = await Promise.all([child.status, said, answers]);
      assert.equal(code, 0, told);
      return told;
    },
  };
}
