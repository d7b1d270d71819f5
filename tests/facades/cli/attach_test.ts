import assert from "node:assert/strict";
import { startMm } from "../../mm.ts";
import { Project } from "./project.ts";

Deno.test("mm attach finds the project's server, goes on with a conversation, and leaves it running", async () => {
  await using project = await Project.make();
  await using server = await Server.start(project);
  const first = await project.mm(["attach"], { stdin: "count to 3\n" });
  assert.deepEqual([first.code, first.stdout], [0, "1 2 3\n"]);
  assert.match(first.stderr, /^Attached to http:\/\/127\.0\.0\.1:\d+\/\n/);

  const again = await project.mm(["attach", "-1"], {
    stdin: "count to 2\n/rename Numbers\n/model\n",
  });
  assert.equal(again.code, 0, again.stderr);
  assert.match(
    again.stderr,
    /> count to 3\n1 2 3\nResumed "count to 3" · 1 turn/,
  );
  assert.match(again.stdout, /^1 2\n[^]*Model: `demo`/);

  const { stdout } = await project.mm(["sessions", "list", "--json"]);
  const [session, ...others] = JSON.parse(stdout);
  assert.deepEqual(others, []);
  assert.deepEqual([session.title, session.turns], ["Numbers", 2]);

  const address = [`${server.url}#token=${server.token}`, "Numbers"];
  const json = await project.mm(["attach", "--json", ...address], {
    stdin: "count to 1\n",
  });
  const lines = json.stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(lines[0], { type: "session", id: session.id });
  assert.equal(lines.filter((l) => l.type === "replay").length, 4);
  assert.equal(lines.findLast((l) => "seq" in l).type, "settled");
});

Deno.test("mm attach takes a token by flag and by environment, and leaves none on the screen", async () => {
  await using project = await Project.make();
  await using elsewhere = await Project.make();
  await using server = await Server.start(project);
  for (
    const given of [
      { args: ["--token", server.token] },
      { args: [], env: { MM_TOKEN: server.token } },
    ]
  ) {
    const { code, stderr } = await elsewhere.mm(
      ["attach", server.url, ...given.args],
      { stdin: "count to 1\n", ...given.env && { env: given.env } },
    );
    assert.equal(code, 0, stderr);
    assert.equal(stderr.includes(server.token), false);
  }
});

Deno.test("mm attach says in one line what is in its way", async () => {
  await using project = await Project.make();
  await using server = await Server.start(project);
  await using elsewhere = await Project.make();
  await using web = Deno.serve(
    { port: 0, onListen() {} },
    () => new Response("Hello"),
  );
  const at = (port: number) =>
    `http://127.0.0.1:${port}/#token=${"x".repeat(32)}`;
  const cases: readonly [Project, string[], number, RegExp][] = [
    [
      elsewhere,
      [],
      2,
      /^Cannot find a server of this project: start one with mm serve/,
    ],
    [elsewhere, [at(1)], 1, /nobody answers there; is mm serve running\?$/],
    [elsewhere, [at(web.addr.port)], 1, /it is no mm server$/],
    [elsewhere, [`${server.url}#token=${"x".repeat(32)}`], 1, /Wrong token/],
    [elsewhere, [server.url], 2, /without its token/],
    [elsewhere, ["http://", "-1"], 2, /^Cannot use the address "http:\/\/"/],
    [elsewhere, ["one", "two"], 2, /^Cannot use the address "one"/],
    [project, ["nothing like it"], 2, /^Cannot find session "nothing like it"/],
    [project, ["20200101-000000-00000000"], 2, /^Cannot find session "2020/],
    [project, ["--token", "a b"], 2, /^Cannot use --token: a token has/],
    [project, ["--model", "x"], 2, /^Cannot use --model with mm attach/],
  ];
  for (const [where, args, code, line] of cases) {
    const ended = await where.mm(["attach", ...args], { stdin: "" });
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr.trim(), line);
    assert.equal(ended.stderr.trim().split("\n").length, 1, ended.stderr);
    assert.equal(ended.stdout, "");
  }
});

Deno.test("mm attach believes no note that came with the folder, and says how to attach", async () => {
  const { pid } = Deno;
  const near = { pid, url: "http://127.0.0.1:1/", token: "t", version: "0" };
  const far = { ...near, url: "http://203.0.113.7:7345/" };
  const cases: [note: object, mode: number, why: string][] = [
    [near, 0o644, "it is not private to you"],
    [far, 0o600, "its address is none of this machine"],
    [
      { ...near, url: "http://127.0.0.1.example.com/" },
      0o600,
      "its address is none of this machine",
    ],
  ];
  for (const [note, mode, why] of cases) {
    await using project = await Project.make({
      ".mm/serve.json": JSON.stringify(note),
    });
    await Deno.chmod(project.path(".mm/serve.json"), mode);
    const { code, stderr } = await project.mm(["attach"], { stdin: "" });
    assert.equal(code, 2);
    assert.equal(
      stderr,
      `Cannot believe .mm/serve.json: ${why}; give the whole address that mm serve printed\n`,
    );
  }
});

/** `mm serve` in a project. */
class Server implements AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly #child: Deno.ChildProcess;

  private constructor(
    child: Deno.ChildProcess,
    { url, token }: { readonly url: string; readonly token: string },
  ) {
    this.#child = child;
    this.url = url;
    this.token = token;
  }

  static async start({ dir: cwd }: Project): Promise<Server> {
    const args = ["serve", "--port", "0", "--json"];
    const child = await startMm(args, { cwd });
    const reader = child.stdout.pipeThrough(new TextDecoderStream())
      .getReader();
    const { value = "" } = await reader.read();
    reader.releaseLock();
    return new Server(child, JSON.parse(value));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGTERM");
    await Promise.all([this.#child.status, this.#child.stderr.cancel()]);
    await this.#child.stdout.cancel().catch(() => {}); // it is being read
  }
}
