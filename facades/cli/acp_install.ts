import { UserError } from "../../core/error.ts";
import { editorInstaller } from "../table.ts";
import { EXIT } from "./exit.ts";
import { print } from "./output.ts";
import { homeFolder } from "./place.ts";

/** `mm acp install`: adds mm to an editor's settings, or shows how. */
export async function acpInstall(
  editor: string,
  printOnly: boolean,
): Promise<number> {
  const folder = homeFolder();
  if (folder === undefined) {
    throw new UserError("Cannot find your home folder: set HOME");
  }
  const install = await editorInstaller();
  const { os } = Deno.build;
  const told = await install(editor, {
    print: printOnly,
    launch: launch(),
    home: {
      folder,
      os: os === "windows" || os === "darwin" ? os : "linux",
      env: (name) => Deno.env.get(name),
    },
  });
  await print(`${told.trimEnd()}\n`);
  return EXIT.ok;
}

// The binary itself, or the sources by the Deno that runs them.
function launch(): { command: string; args: string[] } {
  const command = Deno.execPath();
  if (Deno.build.standalone) return { command, args: ["acp"] };
  const { pathname } = new URL("./main.ts", import.meta.url);
  return { command, args: ["run", "-A", "--quiet", pathname, "acp"] };
}
