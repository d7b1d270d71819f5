import assert from "node:assert/strict";
import { fstatSync, writeSync } from "node:fs";
import { join } from "node:path";
import { APPEND, openFile } from "../../../plugins/files/open_file.ts";
import { stampNow, stampOf } from "../../../plugins/files/stamp.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("stampNow() is what fstat says, whatever became of the name", async () => {
  await using dir = await TempDir.make();
  const path = join(dir.path, "x");
  const changes: Record<string, () => void> = {
    "nothing": () => {},
    "removed": () => Deno.removeSync(path),
    "replaced by a file as long": () => {
      Deno.writeTextFileSync(`${path}.tmp`, "12345678");
      Deno.renameSync(`${path}.tmp`, path);
    },
    "added to": () => Deno.writeTextFileSync(path, "9", { append: true }),
  };
  for (const [what, change] of Object.entries(changes)) {
    await Deno.writeTextFile(path, "1234");
    using open = openFile(path, APPEND)!;
    writeSync(open.file, new TextEncoder().encode("5678"));
    change();
    assert.deepEqual(stampNow(open, 8), stampOf(fstatSync(open.file)), what);
  }
});
