import { join } from "node:path";
import type { Editor, Home } from "./editor.ts";

/** Zed: JSON with comments. */
export const zed: Editor = {
  type: "json",
  title: "Zed",
  file: (home) => join(folder(home), "settings.json"),
  path: ["agent_servers", "mm"],
  entry: ({ command, args }) => ({ type: "custom", command, args, env: {} }),
};

function folder({ folder, os, env }: Home): string {
  if (os === "windows") {
    return join(env("APPDATA") ?? join(folder, "AppData/Roaming"), "Zed");
  }
  // On a Mac too it is ~/.config.
  const config = os === "linux" ? env("XDG_CONFIG_HOME") : undefined;
  return join(config || join(folder, ".config"), "zed");
}
