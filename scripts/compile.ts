/**
 * Builds the `mm` binary: a code-split bundle, sealed into one executable.
 * Bundling first keeps every `await import()` lazy and start-up short.
 */
import { bundle } from "./compile/bundle.ts";
import { HELP, readOptions } from "./compile/options.ts";
import { seal } from "./compile/seal.ts";
import { main } from "./lib/failure.ts";

await main(async () => {
  const options = readOptions(Deno.args);
  if (options === "help") {
    console.log(HELP);
    return 0;
  }
  const start = performance.now();
  const binary = await seal(await bundle(options), options);
  const { size } = await Deno.stat(binary);
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${binary}  ${(size / 1e6).toFixed(1)} MB  ${seconds} s`);
  return 0;
});
