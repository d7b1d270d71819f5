import { join } from "node:path";
import type { Editor } from "./editor.ts";

/** The IDEs of JetBrains, which share one file. */
export const jetbrains: Editor = {
  type: "json",
  title: "JetBrains IDEs",
  file: ({ folder }) => join(folder, ".jetbrains", "acp.json"),
  path: ["agent_servers", "mm"],
  entry: ({ command, args }) => ({ command, args, env: {} }),
};
