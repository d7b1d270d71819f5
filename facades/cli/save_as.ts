import { dirname } from "node:path";
import { systemFailure } from "../../core/system_error.ts";
import { UsageError } from "./usage_error.ts";
import { writeWhole } from "./write_whole.ts";

/** How a file that the user named is written. */
export interface SaveOptions {
  /** Overwrites what is there. */
  readonly force: boolean;
  /** Of a new file. */
  readonly mode?: number;
  /** What to do about one that is there. */
  readonly wayOut: string;
}

/** Writes a file that the user named, whole or not at all; refuses what is there. */
export async function saveAs(
  file: string,
  text: string,
  { force, mode, wayOut }: SaveOptions,
): Promise<void> {
  const refusal = (why: string) =>
    new UsageError(`Cannot write ${file || '""'}: ${why}`);
  const taken = () => refusal(`it is there already${wayOut}`);
  if (file === "") throw refusal("give a name");
  try {
    const there = lookAt(file);
    if (there?.isDirectory) throw refusal("it is a folder, not a file");
    if (there && !force) throw taken();
    // A device or a pipe takes what it is given; nothing can take its place.
    if (there && !there.isFile && !there.isSymlink) {
      return await Deno.writeTextFile(file, text, { create: false });
    }
    const path = there ? await Deno.realPath(file) : file;
    await writeWhole(path, text, {
      mode: (there && (await Deno.stat(path)).mode) ?? mode,
      check() {
        if (!force && lookAt(file)) throw taken();
      },
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof Deno.errors.NotFound)) {
      throw systemFailure(`write ${file}`, error);
    }
    throw refusal(
      lookAt(file)?.isSymlink
        ? "it is a link to nothing"
        : `there is no folder ${dirname(file)}`,
    );
  }
}

function lookAt(file: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
