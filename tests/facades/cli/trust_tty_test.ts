import assert from "node:assert/strict";
import { command } from "../../mm.ts";
import { NO_TMUX, Terminal } from "../terminal/tmux.ts";
import { HOSTILE, ran, RUNS } from "./clone.ts";
import { Project } from "./project.ts";

tty(
  "y lets a project do what is shown, once and for all",
  async (project, open) => {
    {
      await using t = await open(`run "${RUNS}"`);
      const seen = await t.see(/Let it do exactly these 3\? \[y\/N\]/);
      assert.match(seen, /^Without asking you, agent\.yaml in /m);
      assert.match(
        seen,
        /^ {2}start MCP server evil: sh -c "touch ran-server"$/m,
      );
      assert.match(seen, /^ {2}run every tool call without asking$/m);
      assert.match(seen, /^ {2}run `touch ran-command …` without asking$/m);
      assert.deepEqual(await ran(project), []);
      await t.enter("y");
      await t.see(/^code 0$/m);
      assert.deepEqual(await ran(project), ["ran-command", "ran-server"]);
    }
    await using t = await open(`run "hi"`);
    const seen = await t.see(/^code 0$/m);
    assert.doesNotMatch(seen, /Without asking|trusted/);
  },
);

tty(
  "anything but y goes on without it, and asks again next time",
  async (project, open) => {
    for (const answer of ["n", "", "yeah"]) {
      await using t = await open(`run "${RUNS}"`);
      await t.see(/exactly these 3\?/);
      await t.enter(answer);
      const seen = await t.see(/^code 0$/m);
      assert.match(seen, /You have not trusted agent\.yaml/);
      assert.deepEqual(await ran(project), []);
    }
  },
);

tty(
  "mm asks before its screen is there, and mm serve before it serves",
  async (project, open) => {
    for (const words of ["", "serve --port 0"]) {
      await using t = await open(words);
      await t.see(/exactly these 3\?/);
      await assert.rejects(Deno.stat(project.path(".mm")));
      await t.enter("n");
      await t.see(words ? /#token=/ : /\/help lists commands/);
      await t.see(/You have not trusted agent\.yaml/, true);
      await t.press("C-c", ...words ? [] : ["C-c"]);
      await t.see(/code \d+\n/);
      await Deno.remove(project.path(".mm"), { recursive: true })
        .catch(() => {});
    }
    assert.deepEqual(await ran(project), []);
  },
);

tty("a name cannot write over the question", async (project, open) => {
  const evil = '"\\e[2J\\e[H\\e]0;title\\a\\r\\nAll is well"';
  await project.write("agent.yaml", HOSTILE.replace("evil", evil));
  await using t = await open("trust");
  const seen = await t.see(/exactly these 3\?/);
  assert.match(seen, /Without asking you/);
  assert.ok(
    seen.includes(
      String.raw`server \u{1b}[2J\u{1b}[H\u{1b}]0;title\u{7}\u{d}\u{a}All is`,
    ),
    seen,
  );
  await t.enter("n");
  await t.see(/^code 130$/m);
});

tty("a yes that cannot be kept holds for this time", async (project, open) => {
  await using t = await open(`run "${RUNS}"`, { XDG_STATE_HOME: "/proc/none" });
  await t.see(/exactly these 3\?/);
  await t.enter("y");
  const seen = await t.see(/^code 0$/m);
  assert.match(seen.replaceAll("\n", ""), /Cannot write trust .* asked again/);
  assert.deepEqual(await ran(project), ["ran-command", "ran-server"]);
});

type Open = (
  words: string,
  env?: Readonly<Record<string, string>>,
) => Promise<Terminal>;

function tty(
  name: string,
  run: (project: Project, open: Open) => Promise<void>,
): void {
  const title = NO_TMUX ? `tty: ${name} (skipped: ${NO_TMUX})` : `tty: ${name}`;
  Deno.test(title, { ignore: NO_TMUX !== undefined }, async () => {
    await using project = await Project.make({ "agent.yaml": HOSTILE });
    const mm = (await command()).map((word) => `"${word}"`).join(" ");
    await run(project, (words, env = {}) =>
      Terminal.start(`${mm} ${words}`, {
        cwd: project.dir,
        columns: 110,
        env: {
          HOME: project.path(".home"),
          XDG_STATE_HOME: "",
          XDG_CONFIG_HOME: "",
          DENO_DIR: Deno.env.get("DENO_DIR") ?? "",
          MM_MODEL: "demo",
          ...env,
        },
      }));
  });
}
