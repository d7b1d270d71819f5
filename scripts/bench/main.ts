/** `deno task bench [--runtime=npm] [name…]`: every benchmark, as ratios to a baseline of the same run. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure, main } from "../lib/failure.ts";
import { acp } from "./acp.ts";
import { drawing } from "./drawing.ts";
import { format } from "./measure.ts";
import { remote } from "./remote.ts";
import { startup } from "./startup.ts";
import { store } from "./store.ts";
import { jsonl } from "./stores_jsonl.ts";
import { ring } from "./stores_ring.ts";
import { sqlite } from "./stores_sqlite.ts";

const SETS = { startup, store, jsonl, sqlite, ring, acp, remote, drawing };

const HELP = `Usage: deno task bench [--runtime=npm] [${
  Object.keys(SETS).join("|")
}]…

Prints value, baseline of the same run, ratio and target; all sets by default.

  --runtime=npm  compile the empty program with npm's runtime (as dist/mm)
  --help         show this text`;

await main(async () => {
  if (Deno.args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
  const names = Deno.args.filter((arg) => !arg.startsWith("--"));
  const wrong = names.find((name) => !Object.hasOwn(SETS, name));
  if (wrong) throw new Failure(`Cannot find benchmark "${wrong}": see --help`);
  for (const [name, bench] of Object.entries(SETS)) {
    if (names.length > 0 && !names.includes(name)) continue;
    for (const row of await bench(root)) console.log(format(row));
  }
  return 0;
});
