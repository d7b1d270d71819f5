import { isId } from "../../../../core/id.ts";
import type { Store } from "../../../../core/store.ts";
import { openUse, type StorePlace } from "../store_of.ts";
import type { CopiedFile } from "./copied_file.ts";
import { isExported } from "./exported.ts";
import { isPi } from "./pi.ts";
import type { Fields, JsonFile } from "./values.ts";

/** A file as one of mm's own stores keeps it. */
export interface Kept {
  readonly store: "json" | "jsonl";
  readonly id: string;
}

/** Which store keeps such a file, of which conversation; undefined when none does. */
export function keptBy({ document, lines }: JsonFile): Kept | undefined {
  if (document && isVersioned(document) && isExported(document)) {
    return { store: "json", id: document.id };
  }
  const [head] = lines;
  const isLog = head?.type === "session" && isVersioned(head) && !isPi(lines);
  return isLog ? { store: "jsonl", id: head.id } : undefined;
}

function isVersioned(value: Fields): value is Fields & { readonly id: string } {
  return typeof value.version === "number" && typeof value.id === "string" &&
    isId(value.id);
}

/** Opens a store that has this file alone. */
export async function openKept(
  file: string,
  copy: CopiedFile,
  { kept: { store, id }, where: { loaded, place } }: {
    readonly kept: Kept;
    readonly where: StorePlace;
  },
): Promise<Store> {
  await copy.of(file, `.mm/sessions/${id}.${store}`);
  const alone = { ...place, project: copy.dir };
  return await openUse(store, { loaded, place: alone }, file);
}
