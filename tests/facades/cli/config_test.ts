import assert from "node:assert/strict";
import { TempDir } from "../../temp_dir.ts";
import { ChatServer } from "./chat_server.ts";
import { Project } from "./project.ts";

Deno.test("mm takes --config before $MM_CONFIG, the project's agent.yaml and the user's", async () => {
  await using server = new ChatServer();
  const config = (name: string) =>
    `model:\n  use: openai\n  name: ${name}\n  baseURL: ${server.url}\n`;
  await using project = await Project.make({
    "flag.yaml": config("by-flag"),
    "env.yaml": config("by-env"),
    ".home/.config/mm/agent.yaml": config("by-user"),
    "sub/dir/.keep": "",
  });
  const used = async (args: string[], env = {}) => {
    const { code, stderr } = await project.mm(["run", "hi", ...args], {
      env: { MM_MODEL: "", ...env },
    });
    assert.equal(code, 0, stderr);
    return server.requests.at(-1)?.model;
  };
  assert.equal(await used([]), "by-user");
  await project.write("agent.yaml", config("by-project"));
  assert.equal(await used(["-C", "sub/dir"]), "by-project");
  assert.equal(await used([], { MM_CONFIG: "env.yaml" }), "by-env");
  const flag = ["--config", "flag.yaml"];
  assert.equal(await used(flag, { MM_CONFIG: "env.yaml" }), "by-flag");
  assert.equal(await used([...flag, "--model", "other"]), "other");
  assert.equal(await used(["--base-url", server.url]), "tiny");
});

Deno.test("mm names the file, its line and the way out for each configuration mistake", async () => {
  await using project = await Project.make({
    "key.yaml": "model: demo\nsesions:\n  enabled: true\n",
    "type.yaml": "sessions:\n  enabled: 3\n",
    "use.yaml": "model:\n  use: opnai\n",
    "option.yaml": "model:\n  use: openai\n  bseURL: http://x/v1\n",
    "env.yaml": "model:\n  use: openai\n  name: ${NOT_SET_HERE}\n",
    "yaml.yaml": "model: [\n",
    "list.yaml": "- a\n",
    "folder/.keep": "",
    "binary.yaml": "model: \0demo\n",
    "huge.yaml": `# ${"x".repeat(300_000)}\n`,
  });
  await new Deno.Command("mkfifo", { args: [project.path("fifo.yaml")] })
    .output();
  const mistakes: [string, RegExp][] = [
    [
      "key.yaml",
      /^Cannot read key.yaml:2: sesions: unknown key, did you mean "sessions"\?$/,
    ],
    [
      "type.yaml",
      /^Cannot read type.yaml:2: sessions.enabled: expected boolean, received number$/,
    ],
    [
      "use.yaml",
      /^Cannot read use.yaml:2: model.use: there is no plugin "opnai": did you mean "openai"\?$/,
    ],
    [
      "option.yaml",
      /^Cannot read option.yaml:3: model.bseURL: unknown key, did you mean "baseURL"\?$/,
    ],
    [
      "env.yaml",
      /^Cannot read env.yaml:3: model.name: the environment variable NOT_SET_HERE is not set/,
    ],
    ["yaml.yaml", /^Cannot read yaml.yaml:\d: /],
    ["list.yaml", /^Cannot read list.yaml: expected keys/],
    ["folder", /^Cannot read folder: it is a folder$/],
    ["fifo.yaml", /^Cannot read fifo.yaml: it is not a regular file$/],
    ["binary.yaml", /^Cannot read binary.yaml: it is not text in UTF-8$/],
    ["huge.yaml", /^Cannot read huge.yaml: it is larger than 256 KiB$/],
    ["missing.yaml", /^Cannot read missing.yaml: there is no such file$/],
  ];
  const env = { MM_MODEL: "" };
  for (const [file, message] of mistakes) {
    const { code, stderr } = await project.mm(["run", "hi", "--config", file], {
      env,
    });
    assert.match(stderr.trimEnd(), message, file);
    assert.equal(code, 2, file);
  }
  const { stderr } = await project.mm(["sessions"], {
    env: { MM_CONFIG: "gone.yaml" },
  });
  assert.match(
    stderr,
    /^Cannot read gone.yaml \(from MM_CONFIG\): there is no such file$/m,
  );
});

Deno.test({
  name: "mm names an agent.yaml or a .git that is a link to itself",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using project = await Project.make();
    await Deno.symlink(".git", project.path(".git"));
    assert.equal((await project.mm(["sessions"])).code, 0);
    await Deno.symlink("agent.yaml", project.path("agent.yaml"));
    const { code, stderr } = await project.mm(["run", "hi"]);
    assert.match(
      stderr,
      /^Cannot read agent\.yaml: Too many levels of symbolic links/,
    );
    assert.equal(code, 2);
  },
});

Deno.test("mm keeps conversations at the git root where there is no agent.yaml", async () => {
  await using project = await Project.make({
    ".git/HEAD": "",
    "a/b/.keep": "",
  });
  await using server = new ChatServer();
  await project.mm(["-C", "a/b", "run", "hi", "--base-url", server.url]);
  const names = [...Deno.readDirSync(project.path(".mm/sessions"))].map((e) =>
    e.name
  );
  assert.equal(names.filter((n) => n.endsWith(".json")).length, 1);
});

Deno.test("mm takes no home folder above the current one for a project", async () => {
  await using project = await Project.make({
    "agent.yaml": "model: nonsense\n",
    ".git/HEAD": "",
    "work/.keep": "",
  });
  const env = { HOME: project.dir };
  const { code, stderr } = await project.mm(["-C", "work", "sessions"], {
    env,
  });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /No conversation yet in .*work$/m);
});

Deno.test("mm reads AGENTS.md of the project and of the folders down to the current one", async () => {
  await using project = await Project.make({
    "agent.yaml": "",
    "AGENTS.md": "Speak in rhymes.",
    "sub/AGENTS.md": "Be brief.",
    "big/AGENTS.md": "x".repeat(70_000),
    "odd/AGENTS.md/.keep": "",
    "link/.keep": "",
  });
  await using dir = await TempDir.make();
  const outside = `${dir.path}/AGENTS.md`;
  await Deno.writeTextFile(outside, "");
  await Deno.symlink(outside, project.path("link/AGENTS.md"));
  await using server = new ChatServer();
  const ask = (dir: string) =>
    project.mm(["-C", dir, "run", "hi", "--base-url", server.url]);
  await ask("sub");
  const prompt = server.requests[0]?.messages[0]?.content ?? "";
  assert.match(prompt, /Speak in rhymes\.[^]*# AGENTS.md\n\nBe brief\./);
  assert.match(
    (await ask("big")).stderr,
    /Read only a part of AGENTS.md: instructions end after 64 KiB/,
  );
  assert.match(
    (await ask("odd")).stderr,
    /Cannot read AGENTS.md: it is a folder/,
  );
  assert.match(
    (await ask("link")).stderr,
    /Left out AGENTS.md: it leads out of the project/,
  );
});
