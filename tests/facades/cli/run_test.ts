import assert from "node:assert/strict";
import { command, startMm } from "../../mm.ts";
import { ChatServer, goesOn, neverEnds } from "./chat_server.ts";
import { Project } from "./project.ts";

Deno.test("mm run prints the answer to stdout and keeps the conversation", async () => {
  await using project = await Project.make();
  await using server = new ChatServer("Forty-two.");
  const { code, stdout } = await project.mm([
    "run",
    "--base-url",
    server.url,
    "the",
    "answer",
  ]);
  assert.deepEqual([code, stdout], [0, "Forty-two.\n"]);
  assert.equal(server.requests[0]?.messages.at(-1)?.content, "the answer");
  const list = await project.mm(["sessions", "list", "--json"]);
  assert.equal(JSON.parse(list.stdout)[0].title, "the answer");
});

Deno.test("mm run reads the question from stdin, and material beside the words", async () => {
  await using project = await Project.make();
  await using server = new ChatServer();
  const question = async (args: string[], stdin?: string) => {
    await project.mm(
      ["run", "--base-url", server.url, ...args],
      stdin === undefined ? {} : { stdin },
    );
    return server.requests.at(-1)?.messages.at(-1)?.content;
  };
  assert.equal(await question([], "from stdin\n"), "from stdin");
  assert.equal(await question(["-"], "dash\nand more\n"), "dash\nand more");
  assert.equal(
    await question(["review", "this"], "a diff"),
    "review this\n\n<stdin>\na diff\n</stdin>",
  );
  assert.equal(await question(["alone"], ""), "alone");
  assert.equal(await question(["--", "--flag", "-x"]), "--flag -x");
});

Deno.test("mm run refuses stdin that is no text, too long or empty", async () => {
  await using project = await Project.make();
  const refused = async (stdin: string, message: RegExp) => {
    const { code, stderr } = await project.mm(["run", "-"], { stdin });
    assert.match(stderr, message);
    assert.equal(code, 2);
  };
  await refused("a\0b", /^Cannot read stdin: it is not text$/m);
  await refused(
    "x".repeat(9 * 1024 ** 2),
    /^Cannot read stdin: it holds more than 8 MiB$/m,
  );
  await refused(" \n", /^Cannot run: the question is empty$/m);
});

Deno.test("mm run --json prints every event as a line of JSON", async () => {
  await using project = await Project.make();
  await using server = new ChatServer("Hi there");
  const { code, stdout } = await project.mm([
    "run",
    "--json",
    "--base-url",
    server.url,
    "hi",
  ]);
  const types = stdout.trimEnd().split("\n").map((line) =>
    JSON.parse(line).type
  );
  assert.equal(code, 0);
  for (const type of ["opened", "message", "text", "settled"]) {
    assert.ok(types.includes(type), type);
  }
});

Deno.test("mm run --session goes on with a conversation, named by place, id, end of id or title", async () => {
  await using project = await Project.make();
  const [first = "", second = ""] = await project.ask(
    "about apples",
    "about pears",
  );
  await using server = new ChatServer("ok");
  const resumed = async (...ref: string[]) => {
    const { code, stderr } = await project.mm([
      "run",
      "--base-url",
      server.url,
      "more",
      ...ref,
    ]);
    assert.equal(code, 0, stderr);
    return server.requests.at(-1)?.messages.map((m) => m.content).join("\n");
  };
  assert.match(await resumed("--session", "-1") ?? "", /about pears/);
  assert.match(await resumed("--session=apples") ?? "", /about apples/);
  assert.match(await resumed("--session", first) ?? "", /about apples/);
  assert.match(
    await resumed("--session", second.slice(-8)) ?? "",
    /about pears/,
  );
});

Deno.test("mm run exits with 1 and one red line when the turn fails", async () => {
  await using project = await Project.make();
  await using server = new ChatServer(() =>
    Response.json({ error: { message: "no such luck" } }, { status: 400 })
  );
  const { code, stdout, stderr } = await project.mm([
    "run",
    "--base-url",
    server.url,
    "hi",
  ]);
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /no such luck/);
  const { stdout: errors } = await project.mm(["sessions", "errors", "--json"]);
  const [error] = JSON.parse(errors);
  assert.equal(error.kind, "generation");
  assert.ok(stderr.includes(error.line));
});

for (
  const [signal, expected] of [["SIGINT", 130], ["SIGTERM", 143], [
    "SIGHUP",
    129,
  ]] as const
) {
  Deno.test(`mm run saves what it has on ${signal} and exits with ${expected}`, async () => {
    await using project = await Project.make();
    await using server = new ChatServer(() => neverEnds("The beginning"));
    const child = await startMm(["run", "--base-url", server.url, "hi"], {
      cwd: project.dir,
    });
    const reader = child.stdout.getReader();
    await reader.read(); // it streams
    child.kill(signal);
    for (; !(await reader.read()).done;);
    const [{ code }] = await Promise.all([child.status, child.stderr.cancel()]);
    assert.equal(code, expected);
    const { stdout } = await project.mm(["sessions", "show"]);
    assert.match(stdout, /> hi\n\nThe beginning/);
    assert.equal(
      (await project.mm(["sessions", "errors", "--json"])).stdout,
      "[]\n",
    );
  });
}

Deno.test("mm ends on a signal though another process keeps it from saving", async () => {
  await using project = await Project.make();
  const id = (await project.ask("hi"))[0]!;
  using held = await Deno.open(project.path(".mm/sessions/.lock"), {
    write: true,
  });
  await held.lock(true);
  const child = await startMm(["run", "--session", id, "again"], {
    cwd: project.dir,
  });
  const output = child.output();
  // By then it waits for the lock; where it is slower, it ends as well.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  child.kill("SIGTERM");
  const { code, stderr } = await output;
  assert.equal(code, 143);
  // That is how it would end, had it waited for as long as it can.
  assert.doesNotMatch(new TextDecoder().decode(stderr), /Cannot save/);
});

Deno.test("mm ends at once on a second SIGINT", async () => {
  await using project = await Project.make();
  await using server = new ChatServer(() => neverEnds("The beginning"));
  const child = await startMm(["run", "--base-url", server.url, "hi"], {
    cwd: project.dir,
  });
  const reader = child.stdout.getReader();
  await reader.read();
  child.kill("SIGINT");
  try {
    child.kill("SIGINT");
  } catch (error) {
    assert.ok(error instanceof TypeError); // it was faster
  }
  for (; !(await reader.read()).done;);
  const [{ code }] = await Promise.all([child.status, child.stderr.cancel()]);
  assert.equal(code, 130);
});

Deno.test("mm answers every line of stdin, off a terminal, by real tool calls", async () => {
  await using project = await Project.make({
    "README.md": "The word is plum.\n",
  });
  const { code, stdout, stderr } = await project.mm([], {
    stdin: "read README.md\nread missing.txt\n",
  });
  assert.equal(code, 0, stderr);
  assert.match(stdout, /plum/);
  assert.match(stderr, /demo model/);
  const list = await project.mm(["sessions", "--json"]);
  assert.equal(JSON.parse(list.stdout)[0].turns, 2);
  const none = await project.mm([], { stdin: "" });
  assert.equal(none.code, 0);
  assert.equal((await project.mm(["sessions", "--json"])).stdout, list.stdout);
});

Deno.test("mm ends quietly when nobody reads its answer", async () => {
  await using project = await Project.make();
  await using server = new ChatServer(() => goesOn("word "));
  const child = await startMm(["run", "--base-url", server.url, "hi"], {
    cwd: project.dir,
  });
  await child.stdout.cancel();
  const stderr = await new Response(child.stderr).text();
  assert.equal((await child.status).code, 130);
  assert.equal(stderr, "");
  const help = await startMm(["help"], { cwd: project.dir });
  await help.stdout.cancel();
  assert.equal(await new Response(help.stderr).text(), "");
  assert.equal((await help.status).code, 0);
});

Deno.test({
  name: "mm says so in one line when its answer cannot be written",
  ignore: Deno.build.os !== "linux", // which has a device that is always full
  async fn() {
    await using project = await Project.make();
    await project.ask("hi");
    for (const args of ["--version", "sessions show", "run hi"]) {
      const { code, stderr } = await shell(project, `"$@" ${args} >/dev/full`);
      assert.equal(code, 1, args);
      const lines = stderr.split("\n").filter((l) => /^Cannot write/.test(l));
      assert.equal(lines.length, 1, `${args}: ${stderr}`);
      assert.doesNotMatch(stderr, /bug|\bat .*:\d/, args);
    }
    const { code } = await shell(project, '"$@" --bogus 2>/dev/full');
    assert.equal(code, 2);
  },
});

Deno.test({
  name: "mm says so in one line when stdin cannot be read",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using project = await Project.make();
    for (const [args, expected] of [["run -", 2], ["", 1]] as const) {
      const { code, stderr } = await shell(project, `"$@" ${args} </`);
      assert.match(stderr, /^Cannot read stdin: Is a directory/m);
      assert.doesNotMatch(stderr, /bug/);
      assert.equal(code, expected);
    }
  },
});

async function shell(project: Project, script: string) {
  const { code, stderr } = await new Deno.Command("/bin/sh", {
    args: ["-c", script, "sh", ...await command()],
    cwd: project.dir,
    env: { HOME: project.dir, MM_MODEL: "demo", NO_COLOR: "1" },
  }).output();
  return { code, stderr: new TextDecoder().decode(stderr) };
}
