import assert from "node:assert/strict";
import deno from "../../../deno.json" with { type: "json" };
import { command } from "../../mm.ts";
import { Project } from "./project.ts";

Deno.test("mm --version prints the version, wherever it stands", async () => {
  await using project = await Project.make();
  for (
    const args of [["--version"], ["-V"], ["-q", "--version"], [
      "run",
      "--version",
    ]]
  ) {
    const { code, stdout } = await project.mm(args);
    assert.deepEqual([code, stdout], [0, `mm ${deno.version}\n`]);
  }
});

Deno.test("mm help shows every command, and each one's help has the global flags", async () => {
  await using project = await Project.make();
  const { stdout } = await project.mm(["help"]);
  for (const name of COMMANDS) {
    assert.match(stdout, new RegExp(`^  ${name} `, "m"));
    const help = await project.mm(["help", name]);
    assert.equal(help.code, 0);
    assert.match(help.stdout, new RegExp(`^Usage: mm ${name}`));
    assert.match(help.stdout, /--base-url/);
    assert.equal(help.stdout, (await project.mm([name, "--help"])).stdout);
  }
  assert.match(stdout, /^Examples:/m);
  const nested = await project.mm(["help", "sessions", "export"]);
  assert.match(nested.stdout, /--format/);
});

Deno.test("mm does not say again all of a mistake that is as long as a file", async () => {
  await using project = await Project.make();
  const long = "x".repeat(100_000);
  const { code, stderr } = await project.mm(["sessions", "show", long]);
  assert.equal(code, 2);
  assert(stderr.length < 3000, `${stderr.length}`);
  assert.match(stderr, /^Cannot find session "xx.*xx": there is no .*\n$/);
});

Deno.test("mm tells a mistake in one line with the way out, exit code 2", async () => {
  await using project = await Project.make();
  const mistakes: [string[], RegExp][] = [
    [
      ["sesions"],
      /^Cannot find command "sesions": did you mean mm sessions\?$/,
    ],
    [
      ["readme"],
      /^Cannot find command "readme": see mm help, or ask it: mm run "readme"$/,
    ],
    [["fix", "it"], /ask it: mm run "fix it"$/],
    [["help", "foo"], /^Cannot find command "foo"/],
    [["sessions", "shw"], /did you mean mm sessions show\?$/],
    [["sessions", "zzzz"], /choose one of list, show, /],
    [["--modle", "x"], /unknown option "--modle": did you mean --model\?$/],
    [["run", "--jsn", "x"], /unknown option "--jsn": did you mean --json\?$/],
    [["sessions", "list", "--al"], /did you mean --all\?$/],
    [
      ["--approve", "maybe"],
      /is invalid. Allowed choices are ask, edit, all, read, none/,
    ],
    [["--cwd"], /argument missing: see mm help$/],
    [
      ["sessions", "rename", "-1"],
      /missing required argument "title": see mm help sessions$/,
    ],
    [["sessions", "show", "1", "2"], /too many arguments/],
    [["sessions", "list", "--limit", "0"], /Expected a number from 1/],
    [["completions", "csh"], /Allowed choices are bash, zsh, fish/],
    [
      ["-C", "nowhere", "sessions"],
      /^Cannot work in "nowhere": it is not there$/,
    ],
    [
      ["--base-url", "foo", "run", "hi"],
      /^Cannot use --base-url "foo": expected http/,
    ],
    [["--model", "", "run", "hi"], /^Cannot use --model "": give a name$/],
    [["run"], /^Cannot run: the question is empty$/],
    [["run", "--session", "-1", "hi"], /^Cannot find session "-1"/],
    [
      ["run", "--session", "20260101-000000-aaaaaaaa", "hi"],
      /^Cannot find session "20260101-000000-aaaaaaaa": list them/,
    ],
  ];
  for (const [args, message] of mistakes) {
    const { code, stdout, stderr } = await project.mm(args);
    assert.equal(stdout, "", args.join(" "));
    assert.match(stderr.trimEnd(), message, args.join(" "));
    assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
    assert.equal(code, 2, args.join(" "));
  }
});

Deno.test("mm takes global flags before and after the command", async () => {
  await using project = await Project.make({ "sub/.keep": "" });
  for (
    const args of [["-C", "sub", "sessions"], ["sessions", "-C", "sub"], [
      "sessions",
      "list",
      "-C",
      "sub",
    ]]
  ) {
    const { code, stderr } = await project.mm(args);
    assert.equal(code, 0);
    assert.match(stderr, /No conversation yet in .*sub$/m);
  }
  assert.equal((await project.mm(["-q", "sessions"])).stderr, "");
});

const COMMANDS = [
  "run",
  "sessions",
  "init",
  "doctor",
  "schema",
  "completions",
  "help",
];

Deno.test({
  name: "mm says when it cannot name the folder it is in",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using project = await Project.make();
    // No Deno call takes such a name: a shell makes it and goes there.
    const script =
      `mkdir "$(printf 'x\\377')" && cd "$(printf 'x\\377')" && exec "$@"`;
    const { code, stderr } = await new Deno.Command("/bin/sh", {
      args: ["-c", script, "sh", ...await command(), "run", "hi"],
      cwd: project.dir,
    }).output();
    assert.match(
      new TextDecoder().decode(stderr),
      /^Cannot work in the current folder: it is not named/,
    );
    assert.equal(code, 2);
  },
});
