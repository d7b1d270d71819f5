import { join } from "node:path";
import type { Store } from "../../../../core/store.ts";
import { openUse, type StorePlace } from "../store_of.ts";

/** Tells a SQLite database by its first bytes. */
export function isDatabase(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  return head === MAGIC;
}

const MAGIC = "SQLite format 3\0";

/**
 * Opens a copy of a database, since opening brings an older one up to date;
 * the file itself stays as it is. The copy goes when it is closed.
 */
export async function openCopy(
  file: string,
  where: StorePlace,
): Promise<AsyncDisposable & { readonly store: Store }> {
  const dir = await Deno.makeTempDir({ prefix: "mm-import-" });
  const path = join(dir, "copy.db");
  await Deno.copyFile(file, path);
  try {
    await Deno.copyFile(`${file}-wal`, `${path}-wal`);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const store = await openUse({ use: "sqlite", path }, where, file);
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await Deno.remove(dir, { recursive: true });
    },
  };
}
