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
  return await openUse({ use: "sqlite", path }, where, file);
}
