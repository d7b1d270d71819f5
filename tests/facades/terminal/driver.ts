// Runs the terminal facade with the parrot and JSON sessions, for tests in a pty.
import { Agent } from "../../../core/agent.ts";
import { runTerminal } from "../../../facades/terminal/run.ts";
import { processEdges } from "../../../facades/terminal/edges.ts";
import { plugin as json } from "../../../plugins/json/plugin.ts";
import { Parrot, parrotTools } from "./parrot.ts";

const cwd = Deno.cwd();
const env = (name: string) => Deno.env.get(name);
const store = await json.open({} as never, {
  project: cwd,
  env,
  version: "0",
  commands: [],
  now: () => new Date(),
});
const agent = new Agent({
  cwd,
  store,
  model: new Parrot(Number(env("PARROT_MS") ?? 5)),
  bundles: [{ tools: parrotTools }],
});
const crash = env("PARROT_CRASH_MS");
if (crash) {
  setTimeout(() => {
    throw new Error("A bug of the driver");
  }, Number(crash));
}
const stop = new AbortController();
for (const signal of ["SIGTERM", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, () => stop.abort());
}
const code = await runTerminal({
  agent,
  output: "text",
  signal: stop.signal,
  color: env("NO_COLOR") === undefined,
  quiet: false,
  notices: ["parrot: a model that only pretends"],
}, processEdges());
await agent[Symbol.asyncDispose]();
Deno.exit(code);
