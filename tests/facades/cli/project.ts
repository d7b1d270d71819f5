import { join } from "node:path";
import { mm, type Outcome, type RunOptions } from "../../mm.ts";
import { ChatServer } from "./chat_server.ts";
import { removeDir } from "../../temp_dir.ts";

/** A folder to try `mm` in, gone afterwards. */
export class Project implements AsyncDisposable {
  readonly dir: string;

  private constructor(dir: string) {
    this.dir = dir;
  }

  static async make(
    files: Readonly<Record<string, string>> = {},
  ): Promise<Project> {
    const dir = await Deno.realPath(
      await Deno.makeTempDir({ prefix: "mm-cli-" }),
    );
    const project = new Project(dir);
    for (const [name, text] of Object.entries(files)) {
      await project.write(name, text);
    }
    return project;
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  async write(name: string, text: string): Promise<void> {
    await Deno.mkdir(join(this.path(name), ".."), { recursive: true });
    await Deno.writeTextFile(this.path(name), text);
  }

  mm(
    args: readonly string[],
    options: Partial<RunOptions> = {},
  ): Promise<Outcome> {
    return mm(args, { cwd: this.dir, ...options });
  }

  /** Keeps one conversation for each question, in order; gives their ids, oldest first. */
  async ask(...questions: string[]): Promise<string[]> {
    await using server = new ChatServer("The answer is 42.");
    for (const question of questions) {
      const { code, stderr } = await this.mm([
        "run",
        "--base-url",
        server.url,
        question,
      ]);
      if (code !== 0) throw new Error(stderr);
    }
    const { stdout } = await this.mm(["sessions", "list", "--all", "--json"]);
    return JSON.parse(stdout).map(({ id }: { id: string }) => id).reverse();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await removeDir(this.dir);
  }
}
