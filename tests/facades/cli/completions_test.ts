import assert from "node:assert/strict";
import { editors } from "../../../facades/acp/install/editors.ts";
import { command } from "../../mm.ts";
import { Project } from "./project.ts";

Deno.test("the bash script completes commands, flags, values and session ids", async () => {
  await using project = await Project.make();
  const [id = ""] = await project.ask("complete me");
  await install(project);
  const complete = (...words: string[]) => bash(project, words);
  assert.deepEqual(await complete("ses"), ["sessions"]);
  assert.deepEqual(await complete("sessions", "re"), ["rename"]);
  assert.deepEqual(await complete("sessions", "list", "--l"), ["--limit"]);
  assert.deepEqual(await complete("run", "--approve", ""), [
    "ask",
    "edit",
    "all",
    "read",
    "none",
  ]);
  assert.deepEqual(await complete("completions", "z"), ["zsh"]);
  assert.deepEqual(
    await complete("acp", "install", ""),
    Object.keys(editors),
  );
  assert.deepEqual(await complete("help", "doc"), ["doctor"]);
  assert.deepEqual(await complete("sessions", "show", id.slice(0, 4)), [id]);
  assert.deepEqual(await complete("--session", ""), [id]);
  assert.deepEqual(await complete("-q", "sessions", "rm", ""), [id]);
  assert.deepEqual(await complete("attach", ""), [id]);
  assert.deepEqual(await complete("plugin", "info", "sq"), ["sqlite"]);
  assert.deepEqual(await complete("sessions", "copy", "--to", "sq"), [
    "sqlite",
  ]);
  assert.deepEqual(await complete("sessions", "copy", "--from", "js"), [
    "json",
    "jsonl",
  ]);
  assert.deepEqual(await complete("run", "what"), []);
});

Deno.test("mm completions prints a script for zsh and fish", async () => {
  await using project = await Project.make();
  assert.match(
    (await project.mm(["completions", "zsh"])).stdout,
    /^#compdef mm\n/,
  );
  assert.match(
    (await project.mm(["completions", "fish"])).stdout,
    /^complete -c mm /m,
  );
});

// A command of its own name, as it would be on the PATH.
async function install(project: Project): Promise<void> {
  const words = (await command()).map((word) => `'${word}'`).join(" ");
  await project.write("bin/mm", `#!/bin/sh\nexec ${words} "$@"\n`);
  await Deno.chmod(project.path("bin/mm"), 0o755);
}

async function bash(
  project: Project,
  words: readonly string[],
): Promise<string[]> {
  const quoted = ["mm", ...words].map((word) => `'${word}'`).join(" ");
  const script = `
    export PATH="$PWD/bin:$PATH"
    source <(mm completions bash)
    COMP_WORDS=(${quoted}) COMP_CWORD=${words.length}
    _mm
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await new Deno.Command("bash", {
    args: ["--norc", "-c", script],
    cwd: project.dir,
    env: { HOME: project.path(".home"), MM_MODEL: "demo" },
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter(Boolean);
}
