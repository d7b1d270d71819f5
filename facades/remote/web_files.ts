import type { WebFile } from "./web_build.ts";

export type { WebFile };

let files: Promise<ReadonlyMap<string, WebFile>> | undefined;

/**
 * A file of the web page by its path in the URL; undefined when it is none of
 * them. The table is made once, at the first question: a client's path never
 * reaches the file system.
 */
export async function webFile(path: string): Promise<WebFile | undefined> {
  files ??= import("./web_build.ts").then(({ webFiles }) => webFiles());
  return (await files).get(path);
}
