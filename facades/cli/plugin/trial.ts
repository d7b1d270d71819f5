import { isKnownToEnd, rememberItEnds } from "./trusted.ts";

/** How long a plugin may take to be imported. */
export const PATIENCE_MS = 5000;

/**
 * Tells whether importing a trusted plugin comes to an end. One that loops
 * would hang the program, and no timer could stop it: so the first import of a
 * content is in a thread, which can be ended. How it ends shows in the real one.
 */
export async function ends(hash: string, url: string): Promise<boolean> {
  if (await isKnownToEnd(hash)) return true;
  if (!await endsInThread(url)) return false;
  await rememberItEnds(hash);
  return true;
}

async function endsInThread(url: string): Promise<boolean> {
  const script = `data:application/javascript,${encodeURIComponent(SCRIPT)}`;
  const worker = new Worker(script, { type: "module" });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), PATIENCE_MS);
  worker.onmessage = () => resolve(true);
  worker.onerror = (event) => {
    event.preventDefault();
    resolve(true);
  };
  worker.postMessage(url);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

const SCRIPT = `self.onmessage = ({ data }) =>
  import(data).catch(() => {}).then(() => self.postMessage("ended"));`;
