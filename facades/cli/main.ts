/** The program `mm`. What is quick to answer is answered before anything is loaded. */
import { version } from "./version.ts";

const [first] = Deno.args;
const quick = Deno.args.length === 1 &&
  (first === "--version" || first === "-V") && told(`mm ${version}`);
if (!quick) {
  const { start } = await import("./start.ts");
  // A terminal that is still being read would keep the process alive. It is not
  // awaited: one that never ends is told by the guard, and not by the runtime.
  start(Deno.args).then(Deno.exit);
}

// False when stdout takes nothing: the long way says why.
function told(line: string): boolean {
  try {
    console.log(line);
    return true;
  } catch {
    return false;
  }
}
