import assert from "node:assert/strict";
import { join } from "node:path";
import { beAtWork, claimProject } from "../../../facades/cli/at_work.ts";
import { startMm } from "../../mm.ts";
import { TempDir } from "../../temp_dir.ts";
import { until } from "../../until.ts";
import { ChatServer, says } from "./chat_server.ts";
import { Project } from "./project.ts";

Deno.test("claimProject() is refused while anybody is at work, and leaves nothing behind", async () => {
  await using dir = await TempDir.make();
  {
    using _one = await beAtWork(dir.path);
    using _other = await beAtWork(dir.path);
    await assert.rejects(claimProject(dir.path), {
      name: "UserError",
      message: /^Cannot change where conversations are kept: mm is at work in /,
    });
  }
  (await claimProject(dir.path))[Symbol.dispose]();
  assert.deepEqual(await Array.fromAsync(Deno.readDir(dir.path)), []);
});

Deno.test("beAtWork() waits for who has claimed the project, and not for ever", async () => {
  await using dir = await TempDir.make();
  const claim = await claimProject(dir.path);
  await assert.rejects(beAtWork(dir.path, 0), {
    message: /^Cannot start: .* is locked, as mm plugin does while it moves/,
  });
  const waiting = beAtWork(dir.path, Infinity);
  claim[Symbol.dispose]();
  (await waiting)[Symbol.dispose]();
});

Deno.test("a project that cannot be locked is worked in and changed without", async () => {
  await using dir = await TempDir.make();
  const gone = join(dir.path, "gone");
  using _work = await beAtWork(gone, 0);
  (await claimProject(gone))[Symbol.dispose]();
});

Deno.test("what waits for a change of the store works in the new one", async () => {
  await using project = await Project.make();
  await project.ask("about foxes");
  const talk = await project.mm(["sessions", "export", "--json"]);
  await using other = await Project.make({ "talk.json": talk.stdout });
  const claim = await claimProject(other.dir);
  const waits = other.mm(["sessions", "import", "talk.json"]);
  await new Promise((resolve) => setTimeout(resolve, 1000)); // it should wait by now
  await other.write("agent.yaml", "sessions: { store: jsonl }\n");
  claim[Symbol.dispose]();
  const { code, stderr } = await waits;
  assert.equal(code, 0, stderr);
  const list = await other.mm(["sessions", "list", "--json"]);
  assert.equal(JSON.parse(list.stdout).length, 1);
});

Deno.test("mm plugin changes no store while a turn runs, nor while mm serve does", async () => {
  await using project = await Project.make({ "agent.yaml": "model: demo\n" });
  await project.ask("before");
  const refused = async () => {
    for (
      const args of [["add", "sqlite", "--yes"], ["add", "jsonl", "--no-copy"]]
    ) {
      const { code, stderr } = await project.mm(["plugin", ...args]);
      assert.equal(code, 1);
      assert.match(stderr, /mm is at work in .*; end it, then try again/);
    }
    assert.equal(
      await Deno.readTextFile(project.path("agent.yaml")),
      "model: demo\n",
    );
    await assert.rejects(Deno.stat(project.path(".mm/sessions.db")));
    // What touches no conversation may change.
    const { code } = await project.mm(["plugin", "add", "coding"]);
    assert.equal(code, 0);
  };

  const go = Promise.withResolvers<Response>();
  await using server = new ChatServer(() => go.promise);
  const running = project.mm(["run", "--base-url", server.url, "the last"]);
  await until(() => server.requests.length > 0);
  await refused();
  go.resolve(says("Done."));
  assert.equal((await running).code, 0);

  const serve = await startMm(["serve", "--json", "--port", "0"], {
    cwd: project.dir,
  });
  const lines = serve.stdout.getReader();
  await lines.read();
  await refused();
  serve.kill("SIGTERM");
  await Promise.all([serve.status, lines.cancel(), serve.stderr.cancel()]);

  const add = await project.mm(["plugin", "add", "sqlite", "--yes"]);
  assert.equal(add.code, 0, add.stderr);
  assert.match(add.stderr, /2 copied/);
});
