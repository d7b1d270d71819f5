import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { TEMP } from "../../../plugins/files/replace.ts";
import { history, opened, sessionId } from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";

const id = sessionId(1);
const script = fileURLToPath(new URL("writer.ts", import.meta.url));

Deno.test(
  "kill -9 at any moment loses no acknowledged event and leaves a whole file",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    await using lab = await JsonLab.create();
    await lab.store.append(id, history([opened()]));
    const acknowledged: string[] = [];
    for (let round = 0; round < 40; round++) {
      const child = writer(lab, `r${round}`, { long: 200_000 });
      const said = await linesUntilKilled(child, 1 + Math.random() * 60);
      acknowledged.push(...said);
      const state = await lab.fresh().read(id);
      const ids = new Set(state?.messages.map((m) => m.id));
      for (const one of acknowledged) assert(ids.has(one), `${one} is lost`);
    }
    assert(acknowledged.length > 40);
    const left = (await lab.names()).filter((name) => TEMP.test(name));
    console.log(`  ${acknowledged.length} events, ${left.length} leftovers`);
    for (const name of left) await Deno.utime(`${lab.dir}/${name}`, 0, 0);
    const { seq } = (await lab.fresh().read(id))!;
    await lab.fresh().append(
      id,
      history([{ type: "titled", title: "x" }], seq),
    );
    assert.deepEqual(await lab.names(), [".lock", `${id}.json`]);
  },
);

Deno.test("append() sweeps old leftovers only", async () => {
  await using lab = await JsonLab.create();
  await lab.put(id, "");
  const [young, old] = [`.${id}.1.00000000.tmp`, `.${id}.1.00000001.tmp`];
  const odd = `.${id}.tmp`;
  for (const name of [young, old, odd]) {
    await Deno.writeTextFile(`${lab.dir}/${name}`, "x");
  }
  for (const name of [old, odd]) await Deno.utime(`${lab.dir}/${name}`, 0, 0);
  await lab.store.append(sessionId(2), history([opened()]));
  const names = await lab.names();
  assert(names.includes(young) && names.includes(odd) && !names.includes(old));
});

Deno.test("two processes that append 200 times each to one session lose nothing", async () => {
  await using lab = await JsonLab.create();
  await lab.store.append(id, history([opened()]));
  const ends = await Promise.all(
    ["a", "b"].map((name) => writer(lab, name, { count: 200 }).output()),
  );
  for (const { code } of ends) assert.equal(code, 0);
  const state = await lab.store.read(id);
  assert.equal(state?.seq, 401);
  const ids = new Set(state?.messages.map((m) => m.id));
  assert.equal(ids.size, 400);
});

function writer(
  lab: JsonLab,
  name: string,
  { count = 100_000, long = 100 },
): Deno.ChildProcess {
  const numbers = [`${count}`, `${long}`];
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", script, lab.dir, id, name, ...numbers],
    stdout: "piped",
    stderr: "null",
    stdin: "null",
  }).spawn();
}

// The clock starts with the first line: before it the child only starts up.
async function linesUntilKilled(
  child: Deno.ChildProcess,
  ms: number,
): Promise<readonly string[]> {
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    timer ??= setTimeout(() => child.kill("SIGKILL"), ms);
  }
  await child.status;
  clearTimeout(timer);
  return text.split("\n").slice(0, -1);
}
