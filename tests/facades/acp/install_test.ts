import { parse } from "jsonc-parser";
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { UserError } from "../../../core/error.ts";
import { editors } from "../../../facades/acp/install/editors.ts";
import { installEditor } from "../../../facades/acp/install/install.ts";
import { TempDir } from "../../temp_dir.ts";

const launch = { command: "/opt/mm bin/mm", args: ["acp"] };

/** Installs into a home of its own that holds `before`. */
async function install(
  editor: string,
  before?: string,
  { print = false } = {},
): Promise<{ told: string; after?: string; backup?: string; file: string }> {
  await using dir = await TempDir.make();
  const folder = dir.path;
  const home = { folder, os: "linux", env: () => undefined } as const;
  const target = editors[editor];
  const file = target?.type === "json" ? target.file(home) : "";
  if (before !== undefined) {
    await Deno.mkdir(dirname(file), { recursive: true });
    await Deno.writeTextFile(file, before);
  }
  const told = await installEditor(editor, { print, launch, home });
  const after = await text(file);
  const backup = await text(`${file}.bak`);
  return {
    told,
    file,
    ...(after !== undefined && { after }),
    ...(backup !== undefined && { backup }),
  };
}

async function text(file: string): Promise<string | undefined> {
  return await Deno.readTextFile(file).catch(() => undefined);
}

const ZED = `// My settings
{
  // how it looks
  "theme": "One Dark", // dark

  "agent_servers": {
    // another one
    "other": { "command": "x" } /* here */,
  },
  "vim_mode": true, // always
}
`;

Deno.test("install tells why the settings cannot be written or read", async () => {
  await using dir = await TempDir.make();
  const home = { folder: dir.path, os: "linux", env: () => undefined } as const;
  const put = () => installEditor("zed", { print: false, launch, home });
  await Deno.mkdir(join(dir.path, ".config"));
  await Deno.symlink("/nowhere", join(dir.path, ".config/zed"));
  await assert.rejects(
    put(),
    /^UserError: Cannot write .*zed.settings\.json: something else is in its place: a file, or a link that leads nowhere$/,
  );
  await Deno.remove(join(dir.path, ".config/zed"));
  await Deno.mkdir(join(dir.path, ".config/zed/settings.json"), {
    recursive: true,
  });
  await assert.rejects(put(), /^UserError: Cannot read .*: it is a folder/);
});

Deno.test("install zed adds mm, keeps every comment, and leaves a backup", async () => {
  const { after = "", backup, told, file } = await install("zed", ZED);
  assert.equal(backup, ZED);
  assert.ok(told.includes(`${file}.bak`));
  for (const comment of ZED.match(/\/\/.*|\/\*.*?\*\//g) ?? []) {
    assert.ok(after.includes(comment), comment);
  }
  for (const line of ZED.split("\n").filter((l) => l.includes('"theme"'))) {
    assert.ok(after.includes(line));
  }
  assert.ok(after.includes('"vim_mode": true, // always'));
  assert.deepEqual(parse(after).agent_servers.mm, {
    type: "custom",
    command: "/opt/mm bin/mm",
    args: ["acp"],
    env: {},
  });
  assert.deepEqual(parse(after).agent_servers.other, { command: "x" });
});

Deno.test("install twice changes nothing the second time", async () => {
  const { after = "" } = await install("zed", ZED);
  const again = await install("zed", after);
  assert.equal(again.after, after);
  assert.equal(again.backup, undefined);
  assert.match(again.told, /^mm is already in /);
});

Deno.test("install replaces an older entry of mm", async () => {
  const old = '{"agent_servers": {"mm": {"command": "/old"}}}';
  const { after = "" } = await install("zed", old);
  assert.equal(parse(after).agent_servers.mm.command, "/opt/mm bin/mm");
});

for (
  const [name, before] of [["no", undefined], ["an empty", ""], [
    "a bare",
    "{}",
  ]] as const
) {
  Deno.test(`install makes settings of ${name} file`, async () => {
    for (const editor of ["zed", "jetbrains", "acpx"]) {
      const { after = "" } = await install(editor, before);
      assert.ok(JSON.stringify(parse(after)).includes("/opt/mm bin/mm"));
      assert.ok(after.endsWith("}\n"));
    }
  });
}

Deno.test("install leaves settings alone that are not as expected", async () => {
  for (
    const before of [
      "[]",
      "{ broken",
      '{"agent_servers": []}',
      '{"agent_servers": "x"}',
      '"text"',
    ]
  ) {
    await assert.rejects(install("zed", before), UserError);
  }
});

Deno.test("install --print shows what would be added and writes nothing", async () => {
  const { told, after, file } = await install("jetbrains", undefined, {
    print: true,
  });
  assert.equal(after, undefined);
  assert.ok(told.startsWith(`Add to ${file}:`));
  assert.deepEqual(JSON.parse(told.slice(told.indexOf("{"))), {
    agent_servers: {
      mm: { command: "/opt/mm bin/mm", args: ["acp"], env: {} },
    },
  });
});

Deno.test("install of an editor set up by a program shows the program", async () => {
  for (const editor of ["neovim", "emacs"]) {
    const { told } = await install(editor);
    assert.match(told, /^Put this in .*:\n\n[^]*"\/opt\/mm bin\/mm"/);
  }
});

Deno.test("install of an unknown editor names the known ones", async () => {
  await assert.rejects(install("zedd"), /did you mean "zed"\?/);
  await assert.rejects(install("word"), /choose one of zed, /);
});

Deno.test("install writes through a link, and keeps it one", async () => {
  await using dir = await TempDir.make();
  const folder = dir.path;
  const home = { folder, os: "linux", env: () => undefined } as const;
  const real = join(folder, "dotfiles.json");
  const file = join(folder, ".config/zed/settings.json");
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(real, "{}", { mode: 0o600 });
  await Deno.symlink(real, file);
  await installEditor("zed", { print: false, launch, home });
  assert.ok((await Deno.lstat(file)).isSymlink);
  assert.ok((await Deno.readTextFile(real)).includes("mm"));
  assert.equal((await Deno.stat(real)).mode! & 0o777, 0o600);
});
