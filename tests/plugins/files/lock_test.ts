import assert from "node:assert/strict";
import { join } from "node:path";
import { Lock } from "../../../plugins/files/lock.ts";
import { TempDir } from "../../temp_dir.ts";

Deno.test("Lock has one holder at a time, also where its file was removed between two uses", async () => {
  await using dir = await TempDir.make();
  const path = join(dir.path, ".lock");
  using mine = new Lock(path);
  using theirs = new Lock(path);
  const log: string[] = [];
  await mine.hold(() => Promise.resolve());
  await Deno.remove(path);
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const first = theirs.hold(async () => {
    log.push("theirs begins");
    await asked;
    await Promise.resolve();
    log.push("theirs ends");
  });
  const second = mine.hold(() => Promise.resolve(log.push("mine")));
  ask();
  await Promise.all([first, second]);
  assert.deepEqual(log, ["theirs begins", "theirs ends", "mine"]);
});

Deno.test("Lock is free again when its work fails", async () => {
  await using dir = await TempDir.make();
  const path = join(dir.path, ".lock");
  using mine = new Lock(path);
  using theirs = new Lock(path);
  const failing = mine.hold(() => Promise.reject(new TypeError("no")));
  await assert.rejects(failing, TypeError);
  assert.equal(await theirs.hold(() => Promise.resolve(1)), 1);
  assert.equal(await mine.hold(() => Promise.resolve(2)), 2);
});
