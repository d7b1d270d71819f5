import { UnreadableError, UserError } from "../../../../core/error.ts";
import type { Store } from "../../../../core/store.ts";
import { openUse, type StorePlace } from "../store_of.ts";
import { copyDatabase } from "./copied_database.ts";
import type { CopiedFile } from "./copied_file.ts";

/** Tells a SQLite database by its first bytes. */
export function isDatabase(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
  return head === MAGIC;
}

const MAGIC = "SQLite format 3\0";

/** Opens a copy of a database, since opening brings an older one up to date. */
export async function openDatabase(
  file: string,
  copy: CopiedFile,
  where: StorePlace,
): Promise<Store> {
  const path = await copyDatabase(file, copy);
  const store = await openUse({ use: "sqlite", path }, where, file);
  try {
    await store.list({ limit: 1 }); // it opens the file when it is asked
    return store;
  } catch (error) {
    await store[Symbol.asyncDispose]();
    if (!(error instanceof UnreadableError)) throw error;
    throw new UserError(DAMAGED, { cause: error });
  }
}

// What the store says of it is about the project's own database.
const DAMAGED =
  "the database is damaged; to save what can be read, make it .mm/sessions.db of a new folder with sessions.store: sqlite, and run mm doctor --repair there";
