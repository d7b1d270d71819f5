/** Serves one server, says so, and ends as its first argument says. */
import { serve } from "./lab.ts";

const [how, server = ""] = Deno.args;
await serve([JSON.parse(server)]);
console.log("serving");
if (how === "Deno.exit") {
  await Array.fromAsync(Deno.stdin.readable); // until it is told to go
  Deno.exit(0);
}
setInterval(() => {}, 1000);
