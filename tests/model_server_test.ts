import assert from "node:assert/strict";
import { FAULTS } from "./model_server/faults.ts";
import { TempDir } from "./temp_dir.ts";

const PROGRAM = new URL("model_server.ts", import.meta.url).pathname;

Deno.test("the model server runs as a program, follows a script and logs requests", async () => {
  await using temp = await TempDir.make();
  const dir = temp.path;
  await Deno.writeTextFile(
    `${dir}/script.json`,
    '[{"fault":"500-now"},{"text":"Hi"}]',
  );
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      PROGRAM,
      "--script",
      `${dir}/script.json`,
      "--log",
      `${dir}/log`,
    ],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value?.trim();
  const post = () =>
    fetch(`${url}/chat/completions`, { method: "POST", body: '{"a":1}' });
  const first = await post();
  assert.equal(first.status, 500);
  await first.body?.cancel();
  assert.match(await (await post()).text(), /"content":"Hi"/);
  child.kill("SIGTERM");
  await child.status;
  await reader.cancel();
  const [line = ""] = (await Deno.readTextFile(`${dir}/log`)).split("\n");
  assert.deepEqual(JSON.parse(line).body, { a: 1 });
});

Deno.test("the model server lists its faults", async () => {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", PROGRAM, "--faults"],
  }).output();
  assert.deepEqual(
    new TextDecoder().decode(stdout).trim().split("\n"),
    Object.keys(FAULTS),
  );
});
