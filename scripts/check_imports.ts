/** Checks who imports whom (see scripts/imports/rules.ts): `deno task ok`. */
import { checkImports } from "./imports/check.ts";
import { main } from "./lib/failure.ts";

await main(async () => {
  const violations = await checkImports(Deno.cwd());
  for (const { file, line, rule } of violations) {
    console.log(`${file}:${line}: ${rule}`);
  }
  return violations.length === 0 ? 0 : 1;
});
