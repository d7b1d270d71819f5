import assert from "node:assert/strict";
import { UserError } from "../../core/error.ts";
import type { Store } from "../../core/store.ts";
import { type SmallDisk, smallDisk } from "./disk.ts";
import { history, opened, question, sessionId } from "./histories.ts";
import { openForTest } from "./open.ts";
import { removeDir } from "../temp_dir.ts";

const id = sessionId(1);
const unix = Deno.build.os !== "windows";

/** Registers what a durable built-in store must stand where it cannot write, or should not. */
export function placeSuite(name: string): void {
  Deno.test(`${name}: a full disk is told, loses nothing and doubles nothing`, () =>
    onDisk(name, async ({ store, fresh }) => {
      await store.append(id, history([opened(), question("One")]));
      const large = history([question("x".repeat(2_000_000))], 2);
      await assert.rejects(store.append(id, large), told(/the disk is full/));
      assert.equal((await store.read(id))?.messages.length, 1);
      await store.append(id, history([question("Two")], 2));
      assert.equal((await fresh(id))?.messages.length, 2);
      const other = history([opened(), question("x".repeat(2_000_000))]);
      await assert.rejects(
        store.append(sessionId(2), other),
        told(/the disk is full/),
      );
      assert.equal(await fresh(sessionId(2)), undefined);
      assert.equal((await store.list()).items.length, 1);
    }));

  Deno.test(`${name}: a disk that fills up little by little keeps all that was acknowledged`, () =>
    onDisk(name, async ({ store, fresh }) => {
      await store.append(id, history([opened()]));
      let seq = 1;
      await assert.rejects(async () => {
        for (; seq < 10_000; seq++) {
          const text = "y".repeat(3000);
          await store.append(id, history([question(text)], seq));
        }
      }, told(/the disk is full/));
      assert(seq > 10);
      assert.equal((await store.read(id))?.seq, seq);
      assert.equal((await fresh(id))?.seq, seq);
    }));

  Deno.test(`${name}: a read-only disk is told, and reading still works`, () =>
    onDisk(name, async ({ disk, project, fresh }) => {
      await using store = await openForTest(name, project);
      await store.append(id, history([opened(), question("One")]));
      await store[Symbol.asyncDispose]();
      await disk.readOnly(true);
      await using reader = await openForTest(name, project);
      assert.equal((await reader.read(id))?.messages.length, 1);
      assert.equal((await reader.list()).items.length, 1);
      const hits = await Array.fromAsync(
        reader.search?.({ text: "one" }) ?? [],
      );
      assert.equal(hits.length, reader.search ? 1 : 0);
      const more = history([question("Two")], 2);
      await assert.rejects(reader.append(id, more), told(/read-only/));
      await disk.readOnly(false);
      await reader.append(id, more);
      assert.equal((await fresh(id))?.messages.length, 2);
    }));

  Deno.test(`${name}: a file in place of its folder is told, by every verb`, async () => {
    await inFolder(async (project) => {
      await Deno.writeTextFile(`${project}/.mm`, "a file");
      await using store = await openForTest(name, project);
      await refusesAll(
        store,
        /Cannot keep sessions in ".*\.mm": it is not a folder/,
      );
      assert.equal(await Deno.readTextFile(`${project}/.mm`), "a file");
    });
  });

  Deno.test(`${name}: a link never leads sessions out of the project`, {
    ignore: !unix,
  }, async () => {
    await inFolder(async (project) => {
      await inFolder(async (elsewhere) => {
        await Deno.symlink(elsewhere, `${project}/.mm`);
        await using store = await openForTest(name, project);
        await refusesAll(store, /it is a symbolic link/);
        assert.equal([...Deno.readDirSync(elsewhere)].length, 0);
      });
    });
  });

  Deno.test(`${name}: where the project is gone append() says so`, async () => {
    await inFolder(async (project) => {
      await using store = await openForTest(name, `${project}/gone/deeper`);
      await assert.rejects(
        store.append(id, history([opened()])),
        told(/Cannot create .*: the folder is gone/),
      );
    });
  });
}

interface DiskTest {
  readonly project: string;
  readonly disk: SmallDisk;
  readonly store: Store;
  /** What a store reads that knows nothing of what others did. */
  fresh(id: string): ReturnType<Store["read"]>;
}

async function onDisk(
  name: string,
  work: (test: DiskTest) => Promise<void>,
): Promise<void> {
  await inFolder(async (project) => {
    await using disk = await smallDisk(project);
    if (!disk) return console.log("  left out: mounting is not permitted here");
    await using store = await openForTest(name, project);
    const fresh = async (id: string) => {
      await using other = await openForTest(name, project);
      return await other.read(id);
    };
    await work({ project, disk, store, fresh });
    await store[Symbol.asyncDispose]();
  });
}

async function inFolder(work: (dir: string) => Promise<void>): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "mm-places-" });
  try {
    await work(dir);
  } finally {
    await removeDir(dir);
  }
}

function told(reason: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert(error instanceof UserError, String(error));
    assert.match(error.message, reason);
    return true;
  };
}

async function refusesAll(store: Store, reason: RegExp): Promise<void> {
  const tries = [
    () => store.append(id, history([opened()])),
    () => store.read(id),
    () => store.list(),
    () => store.move(id, sessionId(2)),
    () => store.remove(id),
  ];
  for (const attempt of tries) await assert.rejects(attempt(), told(reason));
}
