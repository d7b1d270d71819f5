import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { openModel, openStore } from "../../../core/assemble.ts";
import { ConfigError } from "../../../core/error.ts";
import { loadConfig } from "../../../facades/cli/load_config.ts";
import { partsOf } from "../../../facades/cli/prepare.ts";
import { mutated } from "../../core/mutated.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("2,000 mutated agent.yaml files: a configuration or a ConfigError naming the file, which stays as it was", async () => {
  await using dir = await TempDir.make();
  const cwd = dir.path;
  const file = join(cwd, "agent.yaml");
  const place = { cwd, project: cwd, file };
  const bytes = fc.oneof(
    {
      weight: 9,
      arbitrary: mutated.map((text) => new TextEncoder().encode(text)),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (before) => {
      await Deno.writeFile(file, before);
      try {
        const loaded = await loadConfig(place, undefined);
        const parts = partsOf(place, loaded);
        await openModel(parts);
        await (await openStore(parts))?.[Symbol.asyncDispose]();
      } catch (error) {
        assert.ok(error instanceof ConfigError, String(error));
        assert.match(error.message, /^Cannot read agent\.yaml[:\d]*: .+$/);
      }
      assert.deepEqual(await Deno.readFile(file), before);
    }),
    { numRuns: 2000, seed: 20260101 },
  );
});
