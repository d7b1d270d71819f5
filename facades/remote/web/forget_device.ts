/// <reference lib="dom" />
import { dropOutgoing } from "./kept_outgoing.ts";
import { dropCopies } from "./local_copy.ts";
import { forever, forTab } from "./page_store.ts";

/**
 * Removes all that this browser keeps of mm: the token, the conversations, what
 * was not sent, and the files of the page. What cannot be removed was not kept.
 */
export async function forgetDevice(): Promise<void> {
  forever.clear();
  forTab.clear();
  await Promise.allSettled([
    dropCopies(),
    dropOutgoing(),
    dropFiles(),
    dropWorkers(),
  ]);
}

async function dropFiles(): Promise<void> {
  for (const name of await caches.keys()) await caches.delete(name);
}

async function dropWorkers(): Promise<void> {
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((worker) => worker.unregister()));
}
