import assert from "node:assert/strict";
import { saveAs } from "../../../facades/cli/save_as.ts";
import { Project } from "./project.ts";

const NEW = { force: false, wayOut: ", mind it", mode: 0o600 };
const FORCE = { ...NEW, force: true };

Deno.test("saveAs() replaces a file whole, keeps who may read it, and follows links", async () => {
  await using project = await Project.make({ "old.md": "before" });
  const [old, link] = [project.path("old.md"), project.path("link.md")];
  await Deno.chmod(old, 0o640);
  // Another name of the same bytes: written over in place, they would change.
  await Deno.link(old, project.path("bytes"));
  await Deno.symlink("old.md", link);
  await saveAs(link, "after", FORCE);
  assert.equal(await Deno.readTextFile(old), "after");
  assert.equal(await Deno.readTextFile(project.path("bytes")), "before");
  assert.equal((await Deno.lstat(link)).isSymlink, true);
  assert.equal((await Deno.stat(old)).mode! & 0o777, 0o640);
  await saveAs(project.path("new.md"), "new", NEW);
  const { mode } = await Deno.stat(project.path("new.md"));
  assert.equal(mode! & 0o777, 0o600);
  await saveAs("/dev/null", "into nothing", FORCE);
  assert.equal((await Deno.stat("/dev/null")).isCharDevice, true);
});

Deno.test("saveAs() refuses in words what it cannot write, and leaves nothing behind", async () => {
  await using project = await Project.make({ "a/old.md": "before" });
  const path = (name: string) => project.path(`a/${name}`);
  await Deno.symlink("nowhere", path("link.md"));
  const refused: [file: string, force: boolean, why: string][] = [
    [path("old.md"), false, "it is there already, mind it"],
    [path("link.md"), false, "it is there already, mind it"],
    [path("gone/x.md"), false, `there is no folder ${path("gone")}`],
    [project.path("a"), true, "it is a folder, not a file"],
    ["/dev/full", true, "the disk is full, free some space and try again"],
  ];
  for (const [file, force, why] of refused) {
    await assert.rejects(saveAs(file, "x", { ...NEW, force }), {
      message: `Cannot write ${file}: ${why}`,
    });
  }
  const names = await Array.fromAsync(Deno.readDir(path(".")));
  assert.deepEqual(names.map((e) => e.name).sort(), ["link.md", "old.md"]);
  assert.equal(await Deno.readTextFile(path("old.md")), "before");
});
