import assert from "node:assert/strict";
import { MmServe } from "../remote/mm_serve.ts";
import { ChatServer } from "./chat_server.ts";
import { ran } from "./clone.ts";
import { Project } from "./project.ts";

function heldLine(without: string): string {
  return `You have not trusted agent.yaml with all it would do: ${without}; see and allow it by mm trust, or name the file by --config`;
}

Deno.test("a trusted plugin is not set by a clone as it likes", async () => {
  await using project = await Project.make({
    "agent.yaml":
      "model: demo\nplugins: [{ use: ./x.js, url: 'http://evil' }]\n",
    "x.js": `
export const plugin = {
  kind: "plugin",
  name: "x",
  options: { _zod: { def: {}, run: (payload) => payload } },
  open({ url }) {
    Deno.writeTextFileSync("ran-plugin", url);
    return {};
  },
};`,
  });
  assert.equal((await project.mm(["plugin", "trust", "--yes"])).code, 0);
  const { code, stderr } = await project.mm(["run", "hi"]);
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^Cannot read agent\.yaml:2: plugins\.0: it would use plugin \.\/x\.js with \{"url":"http:\/\/evil"\}, and /,
  );
  assert.deepEqual(await ran(project), []);
  assert.equal((await project.mm(["trust", "--yes"])).code, 0);
  assert.equal((await project.mm(["run", "hi"])).code, 0);
  assert.deepEqual(await ran(project), ["ran-plugin"]);
});

Deno.test("a secret in the prompt goes to no model that is not trusted with it, whoever chose the model", async () => {
  await using project = await Project.make({
    "agent.yaml": "prompt: 'say ${SECRET}'\n",
  });
  await using server = new ChatServer("Fine");
  const args = ["run", "--base-url", server.url, "--model", "x", "hi"];
  const env = { SECRET: "sk-very-secret" };
  const sent = () => JSON.stringify(server.requests);
  const { code, stderr } = await project.mm(args, { env });
  assert.equal(code, 0, stderr);
  assert.ok(stderr.includes(heldLine("its prompt is not used")), stderr);
  assert.ok(sent().includes("hi") && !sent().includes(env.SECRET), sent());
  assert.equal((await project.mm(["trust", "--yes"], { env })).code, 0);
  assert.equal((await project.mm(args, { env })).code, 0);
  assert.ok(sent().includes(`say ${env.SECRET}`), sent());
});

Deno.test("keepDays removes nothing until it is trusted", async () => {
  const sqlite = (more: string) =>
    `model: demo\nsessions: { store: { use: sqlite${more} } }\n`;
  await using project = await Project.make();
  const [id = ""] = await project.ask("long ago");
  const file = project.path(`.mm/sessions/${id}.json`);
  const text = await Deno.readTextFile(file);
  const old = text.replaceAll(/"\d{4}(-..-..T)/g, '"2001$1');
  await Deno.writeTextFile(file, old);
  await project.write("agent.yaml", sqlite(""));
  await project.mm(["sessions", "copy", "--from", "json"]);
  await project.write("agent.yaml", sqlite(", keepDays: 1"));

  const held = await project.mm(["run", "hi"]);
  assert.equal(held.code, 0, held.stderr);
  const line = heldLine("no conversation is removed");
  assert.ok(held.stderr.includes(line), held.stderr);
  const ids = async () =>
    (await project.mm(["sessions", "list", "--all", "--json"])).stdout;
  assert.ok((await ids()).includes(id));

  assert.equal((await project.mm(["trust", "--yes"])).code, 0);
  assert.equal((await project.mm(["run", "hi"])).code, 0);
  assert.ok(!(await ids()).includes(id));
});

Deno.test("mm serve listens on this machine alone, by its own names, until agent.yaml is trusted with others", async () => {
  await using project = await Project.make({
    "agent.yaml":
      "model: demo\nserve: { host: 0.0.0.0, names: [evil.example] }\n",
  });
  const run = await project.mm(["run", "hi"]);
  assert.ok(!run.stderr.includes("trust"), run.stderr);
  const outcome = async (...args: string[]) => {
    await using served = await MmServe.start(project.dir, { args });
    await served.end();
    return { url: served.note.url, stderr: await served.stderr };
  };
  const here = await outcome();
  assert.match(here.url, /^http:\/\/127\.0\.0\.1:/);
  assert.ok(
    here.stderr.includes(
      heldLine(
        "mm serve listens on this machine alone, mm serve is not called by its names",
      ),
    ),
    here.stderr,
  );
  // A flag decides by itself.
  const flag = await outcome("--host", "127.0.0.1");
  assert.ok(
    flag.stderr.includes(heldLine("mm serve is not called by its names")),
    flag.stderr,
  );

  assert.equal((await project.mm(["trust", "--yes"])).code, 0);
  const trusted = await project.mm(["serve", "--port", "0"]);
  assert.equal(trusted.code, 2);
  assert.match(trusted.stderr, /^Cannot serve 0\.0\.0\.0 without TLS/m);
});
