import assert from "node:assert/strict";
import { UserError } from "../../../core/error.ts";
import type { JsonStore } from "../../../plugins/json/json_store.ts";
import {
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";
import { removeDir } from "../../temp_dir.ts";

const id = sessionId(1);
const unix = Deno.build.os !== "windows";

Deno.test("append() on a full disk keeps the old file and works again later", async () => {
  await using lab = await JsonLab.create("mm-full-");
  await using disk = await mounted(lab.project);
  if (!disk) return console.log("  left out: mounting is not permitted here");
  await lab.store.append(id, history([opened(), question("One")]));
  const before = await lab.text(id);
  await assert.rejects(
    lab.store.append(id, history([question("x".repeat(2_000_000))], 2)),
    (error) => {
      assert(error instanceof UserError);
      assert.match(
        error.message,
        /Cannot save session file ".*": the disk is full/,
      );
      return true;
    },
  );
  assert.equal(await lab.text(id), before);
  assert.deepEqual(await lab.names(), [".lock", `${id}.json`]);
  await lab.store.append(id, history([question("Two")], 2));
  assert.equal((await lab.fresh().read(id))?.messages.length, 2);
});

Deno.test("append() on a read-only disk says so, and reading still works", async () => {
  await using lab = await JsonLab.create("mm-read-only-");
  await using disk = await mounted(lab.project);
  if (!disk) return console.log("  left out: mounting is not permitted here");
  await lab.store.append(id, history([opened(), question("One")]));
  await run("mount", "-o", "remount,ro", lab.project);
  await assert.rejects(
    lab.store.append(id, history([question("Two")], 2)),
    /the file system is read-only/,
  );
  assert.equal((await lab.fresh().read(id))?.messages.length, 1);
  assert.equal((await lab.fresh().list()).items.length, 1);
  await run("mount", "-o", "remount,rw", lab.project);
  await lab.store.append(id, history([question("Two")], 2));
});

Deno.test("a failed write onto an unreadable file puts it back", async () => {
  await using lab = await JsonLab.create("mm-full-");
  await using disk = await mounted(lab.project);
  if (!disk) return console.log("  left out: mounting is not permitted here");
  await lab.put(id, "bad");
  const events = history([opened(), question("x".repeat(2_000_000))]);
  await assert.rejects(lab.store.append(id, events), /disk is full/);
  assert.equal(await lab.text(id), "bad");
  assert.deepEqual(await lab.names(), [".lock", `${id}.json`]);
});

Deno.test("a file in place of a folder is told, by every verb", async () => {
  await using lab = await JsonLab.create();
  await Deno.writeTextFile(`${lab.project}/.mm`, "a file");
  await refusesAll(
    lab.store,
    /Cannot keep sessions in ".*\.mm": it is not a folder/,
  );
  assert.equal(await Deno.readTextFile(`${lab.project}/.mm`), "a file");
});

Deno.test(
  "links never lead sessions out of the project",
  { ignore: !unix },
  async () => {
    for (const link of [".mm", ".mm/sessions"]) {
      await using lab = await JsonLab.create();
      await using elsewhere = await JsonLab.create();
      await Deno.mkdir(`${elsewhere.project}/sessions`);
      if (link !== ".mm") await Deno.mkdir(`${lab.project}/.mm`);
      await Deno.symlink(elsewhere.project, `${lab.project}/${link}`);
      await refusesAll(lab.store, /it is a symbolic link/);
      const names = await Array.fromAsync(Deno.readDir(elsewhere.project));
      assert.deepEqual(names.map((e) => e.name), ["sessions"]);
    }
  },
);

Deno.test("a lock file that is a link is refused, and creates nothing", {
  ignore: !unix,
}, async () => {
  await using lab = await JsonLab.create();
  await Deno.mkdir(lab.dir, { recursive: true });
  await Deno.symlink(`${lab.project}/made`, `${lab.dir}/.lock`);
  await assert.rejects(
    lab.store.append(id, history([opened()])),
    /Cannot use lock file/,
  );
  await assert.rejects(Deno.lstat(`${lab.project}/made`), Deno.errors.NotFound);
});

Deno.test("a link in place of a session is replaced by nothing", {
  ignore: !unix,
}, async () => {
  await using lab = await JsonLab.create();
  await Deno.mkdir(lab.dir, { recursive: true });
  const outside = `${lab.project}/outside.json`;
  await Deno.writeTextFile(outside, "precious");
  await Deno.symlink(outside, lab.file(id));
  await lab.store.append(id, history([opened()]));
  assert.equal(await Deno.readTextFile(outside), "precious");
  await Deno.remove(lab.file(id));
  await Deno.symlink(outside, lab.file(id));
  await lab.store.remove(id);
  assert.equal(await Deno.readTextFile(outside), "precious");
});

Deno.test("append() where the project is gone says so", async () => {
  await using lab = await JsonLab.create();
  await removeDir(lab.project);
  await assert.rejects(
    lab.store.append(id, history([opened()])),
    /Cannot create folder ".*": the folder is gone/,
  );
  await Deno.mkdir(lab.project);
});

async function refusesAll(store: JsonStore, reason: RegExp): Promise<void> {
  const tries = [
    () => store.append(id, history([opened()])),
    () => store.read(id),
    () => store.list(),
    () => store.move(id, sessionId(2)),
    () => store.remove(id),
  ];
  for (const attempt of tries) await assert.rejects(attempt(), reason);
}

// A small disk of its own; undefined where the system does not let us have one.
async function mounted(
  path: string,
): Promise<AsyncDisposable | undefined> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return undefined;
  if (await run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", path) !== 0) {
    return undefined;
  }
  return {
    [Symbol.asyncDispose]: async () => {
      assert.equal(await run("umount", path), 0);
    },
  };
}

async function run(command: string, ...args: string[]): Promise<number> {
  const options = { args, stdout: "null", stderr: "null" } as const;
  return (await new Deno.Command(command, options).output()).code;
}
