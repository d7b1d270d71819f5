/** The program `mm`. What is quick to answer is answered before anything is loaded. */
import { version } from "./version.ts";

const [first] = Deno.args;
if (Deno.args.length === 1 && (first === "--version" || first === "-V")) {
  console.log(`mm ${version}`);
} else {
  const { start } = await import("./start.ts");
  // A terminal that is still being read would keep the process alive.
  Deno.exit(await start(Deno.args));
}
