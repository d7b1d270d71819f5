import { systemReason } from "../../../../core/system_error.ts";
import type { Store } from "../../../../core/store.ts";
import type { StorePlace } from "../store_of.ts";
import type { CopiedFile } from "./copied_file.ts";
import { isDatabase, openDatabase } from "./database.ts";
import { headOf } from "./head.ts";
import { keptBy, openKept } from "./kept.ts";
import { type Conversation, readConversation } from "./read.ts";
import { readJson } from "./values.ts";

/** A file that a store reads: a copy of it is opened. */
export interface StoreFile {
  readonly tool: string;
  readonly open: (copy: CopiedFile) => Promise<Store>;
}

/** What a file holds, or why it holds nothing. Of the file itself nothing stays in memory. */
export async function find(
  file: string,
  where: StorePlace,
): Promise<StoreFile | Conversation | string> {
  const bytes = await read(file);
  if (typeof bytes === "string") return bytes;
  if (isDatabase(bytes)) {
    return { tool: "SQLite", open: (copy) => openDatabase(file, copy, where) };
  }
  const json = readJson(bytes);
  const kept = keptBy(json);
  if (!kept) return readConversation(json, where.place.cwd);
  return { tool: "mm", open: (copy) => openKept(file, copy, { kept, where }) };
}

// Of a database the head alone: it may be larger than memory.
async function read(file: string): Promise<Uint8Array | string> {
  try {
    const { isFile, size } = await Deno.stat(file);
    if (!isFile) return "it is not a file";
    const head = await headOf(file);
    if (isDatabase(head)) return head;
    if (size > MAX_TEXT) return "it is larger than 512 MiB";
    return await Deno.readFile(file);
  } catch (error) {
    return error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : systemReason(error);
  }
}

const MAX_TEXT = 512 * 1024 ** 2;
