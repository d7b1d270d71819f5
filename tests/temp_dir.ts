/** A folder of a test's own, gone with all that is in it when the test ends. */
export class TempDir implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /** Makes one; its path has no links in it. */
  static async make(prefix = "mm-test-"): Promise<TempDir> {
    return new TempDir(
      await Deno.realPath(await Deno.makeTempDir({ prefix })),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeDir(this.path);
  }
}

/**
 * Removes a folder and what is in it. A process that was killed or told to go
 * may still write its last: that is waited for, at most ten seconds.
 */
export async function removeDir(path: string): Promise<void> {
  const end = Date.now() + 10_000;
  for (;;) {
    try {
      return await Deno.remove(path, { recursive: true });
    } catch (error) {
      if (!isNotEmpty(error) || Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

// Something was put there between the emptying and the removal.
function isNotEmpty(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "ENOTEMPTY" || error.code === "EEXIST");
}
