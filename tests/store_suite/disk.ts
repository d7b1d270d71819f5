import assert from "node:assert/strict";

/** A disk of its own, of 1 MB, on a folder. */
export interface SmallDisk extends AsyncDisposable {
  /** Lets nobody write to it, or everybody again. */
  readOnly(on: boolean): Promise<void>;
}

/** Mounts a small disk on `path`; undefined where the system does not let us. */
export async function smallDisk(path: string): Promise<SmallDisk | undefined> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return undefined;
  const options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path];
  if (await run("mount", ...options) !== 0) return undefined;
  return {
    readOnly: async (on) => {
      const mode = on ? "remount,ro" : "remount,rw";
      assert.equal(await run("mount", "-o", mode, path), 0);
    },
    [Symbol.asyncDispose]: async () => {
      assert.equal(await run("umount", path), 0);
    },
  };
}

async function run(command: string, ...args: string[]): Promise<number> {
  const options = { args, stdout: "null", stderr: "null" } as const;
  return (await new Deno.Command(command, options).output()).code;
}
