import assert from "node:assert/strict";
import type { JsonStore } from "../../../plugins/json/json_store.ts";
import { smallDisk } from "../../store_suite/disk.ts";
import {
  history,
  opened,
  question,
  sessionId,
} from "../../store_suite/histories.ts";
import { JsonLab } from "./lab.ts";

const id = sessionId(1);
const unix = Deno.build.os !== "windows";

Deno.test("a failed write onto an unreadable file puts it back", async () => {
  await using lab = await JsonLab.create("mm-full-");
  await using disk = await smallDisk(lab.project);
  if (!disk) return console.log("  left out: mounting is not permitted here");
  await lab.put(id, "bad");
  const events = history([opened(), question("x".repeat(2_000_000))]);
  await assert.rejects(lab.store.append(id, events), /disk is full/);
  assert.equal(await lab.text(id), "bad");
  assert.deepEqual(await lab.names(), [".lock", `${id}.json`]);
  await lab.store[Symbol.asyncDispose]();
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
