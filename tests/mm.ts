import { join } from "node:path";

/** How `mm` is run. */
export interface RunOptions {
  readonly cwd: string;
  /** What stdin holds. Default: nothing (/dev/null). */
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

/** How it ended. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `mm` to its end, in a world of its own: no home, no configuration of the user. */
export async function mm(
  args: readonly string[],
  options: RunOptions,
): Promise<Outcome> {
  const child = await startMm(args, options);
  const [{ code, stdout, stderr }] = await Promise.all([
    child.output(),
    options.stdin === undefined ? undefined : feed(child, options.stdin),
  ]);
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/** Starts `mm`; stdin is piped when `options.stdin` is given. */
export async function startMm(
  args: readonly string[],
  { cwd, stdin, env }: RunOptions,
): Promise<Deno.ChildProcess> {
  const [program, ...first] = await command();
  return new Deno.Command(program, {
    args: [...first, ...args],
    cwd,
    clearEnv: true,
    env: { ...await isolated(cwd), ...env },
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** The command that is tested: $MM_BIN, dist/mm when it is up to date, else the sources. */
export function command(): Promise<[string, ...string[]]> {
  return found ??= find();
}

let found: Promise<[string, ...string[]]> | undefined;

async function find(): Promise<[string, ...string[]]> {
  const binary = Deno.env.get("MM_BIN");
  if (binary) return [await Deno.realPath(binary)];
  const built = join(ROOT, "dist", "mm");
  if (await isUpToDate(built)) return [built];
  return [Deno.execPath(), "run", "-A", "--quiet", "--no-check", MAIN];
}

const ROOT = join(import.meta.dirname!, "..");

const MAIN = join(ROOT, "facades/cli/main.ts");

async function isUpToDate(built: string): Promise<boolean> {
  const made = await changed(built);
  for (const source of ["deno.json", "mod.ts", "core", "facades", "plugins"]) {
    if (await changed(join(ROOT, source)) >= made) return false;
  }
  return true;
}

/** When a file, or the last of a folder, changed; 0 when there is none. */
async function changed(path: string): Promise<number> {
  try {
    const { isDirectory, mtime } = await Deno.stat(path);
    const times = [mtime?.getTime() ?? 0];
    if (!isDirectory) return times[0]!;
    for await (const { name } of Deno.readDir(path)) {
      times.push(await changed(join(path, name)));
    }
    return Math.max(...times);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

async function feed(
  child: Deno.ChildProcess,
  stdin: string | Uint8Array,
): Promise<void> {
  const bytes = typeof stdin === "string"
    ? new TextEncoder().encode(stdin)
    : stdin;
  try {
    await new Blob([bytes as BlobPart]).stream().pipeTo(child.stdin);
  } catch (error) {
    // It need not read to the end.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

// The cache stays: packages are not what is tested.
async function isolated(cwd: string): Promise<Record<string, string>> {
  const home = join(cwd, ".home");
  await Deno.mkdir(home, { recursive: true });
  return {
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    PATH: Deno.env.get("PATH") ?? "",
    DENO_DIR: Deno.env.get("DENO_DIR") ?? await denoDir(),
    MM_MODEL: "demo",
    NO_COLOR: "1",
  };
}

let dir: Promise<string> | undefined;

function denoDir(): Promise<string> {
  return dir ??= (async () => {
    const info = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json"],
      cwd: ROOT,
    }).output();
    return JSON.parse(new TextDecoder().decode(info.stdout)).denoDir;
  })();
}
