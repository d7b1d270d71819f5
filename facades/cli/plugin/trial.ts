import { isKnownToEnd, rememberItEnds } from "./trusted.ts";

/** How long a plugin may take to be imported. */
export const PATIENCE_MS = 5000;

/** What is told of one that takes longer. */
export const NOT_DONE = `it is not done importing after ${
  PATIENCE_MS / 1000
} s`;

/**
 * Tells why importing a trusted plugin does not come to an end, or ends mm.
 * One that loops would hang the program, and no timer could stop it: so the
 * first import of a content is in a thread, which can be ended. What it throws
 * shows in the real one.
 */
export async function trialProblem(
  hash: string,
  url: string,
): Promise<string | undefined> {
  if (await isKnownToEnd(hash)) return undefined;
  const seen = await inThread(url);
  if (seen === "late") return NOT_DONE;
  if (seen === "exit") return "importing it ends the program";
  await rememberItEnds(hash);
  return undefined;
}

type Seen = "ended" | "exit" | "late";

async function inThread(url: string): Promise<Seen> {
  const script = `data:application/javascript,${encodeURIComponent(SCRIPT)}`;
  const worker = new Worker(script, { type: "module" });
  const { promise, resolve } = Promise.withResolvers<Seen>();
  const timer = setTimeout(() => resolve("late"), PATIENCE_MS);
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = (event) => {
    event.preventDefault();
    resolve("ended");
  };
  worker.postMessage(url);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.terminate();
  }
}

// It prints nothing here: the real import does.
const SCRIPT = `
import process from "node:process";
for (const name of ["log", "info", "debug", "dir", "dirxml", "warn", "error"]) {
  console[name] = () => {};
}
const exit = () => {
  self.postMessage("exit");
  throw new Error("exit");
};
Deno.exit = exit;
process.exit = exit;
self.onmessage = ({ data }) =>
  import(data).catch(() => {}).then(() => self.postMessage("ended"));`;
