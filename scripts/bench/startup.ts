/** How long the binary takes: `--version`, and a whole one-shot turn, against an empty program. */
import { join } from "node:path";
import { run } from "../lib/command.ts";
import { Failure } from "../lib/failure.ts";
import { interleaved, type Row } from "./measure.ts";

const RUNS = 25;

/** Benchmarks of `dist/mm`; it must have been built. */
export async function startup(root: string): Promise<Row[]> {
  const mm = join(root, "dist/mm");
  const blank = await emptyProgram(root);
  return [await version(mm, blank), ...await oneShot(mm, blank)];
}

async function version(mm: string, blank: string): Promise<Row> {
  const [ours, floor] = await interleaved(
    RUNS,
    () => spawn(mm, ["--version"]),
    () => spawn(blank, []),
  );
  return { name: "mm --version", value: ours, baseline: floor, target: 1.3 };
}

async function oneShot(mm: string, blank: string): Promise<Row[]> {
  const project = await Deno.makeTempDir();
  const sizes: number[] = [];
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      sizes.push((await request.arrayBuffer()).byteLength);
      return new Response(ANSWER, {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}/v1`;
  const args = ["run", "-C", project, "--base-url", url, "--model", "m", "hi"];
  try {
    const [ours, floor] = await interleaved(
      RUNS,
      () => spawn(mm, args),
      () => spawn(blank, []),
    );
    const saved = [...Deno.readDirSync(join(project, ".mm/sessions"))]
      .filter((f) => f.name.endsWith(".json")).length;
    // One warm-up each: a turn that left no file did not count.
    if (saved !== RUNS + 1) {
      throw new Failure(
        `Cannot time a turn: ${saved} of ${RUNS + 1} sessions were saved`,
      );
    }
    return [
      { name: "one-shot turn", value: ours, baseline: floor, target: 4 },
      {
        name: "its first request",
        value: sizes[0] ?? 0,
        baseline: 6000,
        target: 1,
        unit: "B",
      },
    ];
  } finally {
    await Deno.remove(project, { recursive: true });
  }
}

const ANSWER = [
  { choices: [{ index: 0, delta: { content: "Hello." } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
  { choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } },
].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("") +
  "data: [DONE]\n\n";

async function spawn(program: string, args: readonly string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(program, {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    env: { MM_CONFIG: "", NO_COLOR: "1" },
  }).output();
  if (code !== 0) {
    throw new Failure(
      `Cannot time ${program}: it ended with ${code}: ${
        new TextDecoder().decode(stderr)
      }`,
    );
  }
}

/** An empty program, compiled with the very recipe of mm. */
export async function emptyProgram(root: string): Promise<string> {
  const dir = join(root, ".cache/bench");
  const output = join(dir, "empty");
  await Deno.mkdir(dir, { recursive: true });
  const entry = join(dir, "empty.ts");
  await Deno.writeTextFile(entry, "export {};\n");
  const args = ["run", "-A", join(root, "scripts/compile.ts")];
  const { ok, output: said } = await run(Deno.execPath(), [
    ...args,
    ...Deno.args.filter((a) => a.startsWith("--runtime")),
    `--entry=${entry}`,
    `--output=${output}`,
  ]);
  if (!ok) throw new Failure(`Cannot compile an empty program: ${said}`);
  return output;
}
