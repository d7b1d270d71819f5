import { dirname, join } from "node:path";

/** A folder for copies of the files to import, which stay as they are. It goes when it is closed. */
export class CopiedFile implements AsyncDisposable {
  /** Absolute. */
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  /** Makes the folder. */
  static async make(): Promise<CopiedFile> {
    return new CopiedFile(await Deno.makeTempDir({ prefix: "mm-import-" }));
  }

  /** Where a copy of this name is. */
  path(name: string): string {
    return join(this.dir, name);
  }

  /** Copies a file into it; gives the path of the copy. */
  async of(file: string, name: string): Promise<string> {
    const path = this.path(name);
    await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await Deno.copyFile(file, path);
    return path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.dir, { recursive: true });
  }
}
