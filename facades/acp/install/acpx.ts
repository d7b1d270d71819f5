import { join } from "node:path";
import type { Editor } from "./editor.ts";

/** acpx, a client for the command line. */
export const acpx: Editor = {
  type: "json",
  title: "acpx",
  file: ({ folder }) => join(folder, ".acpx", "config.json"),
  path: ["agents", "mm"],
  entry: ({ command, args }) => ({ argv: [command, ...args] }),
};
