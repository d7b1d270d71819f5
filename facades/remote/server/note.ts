import { kill, pid } from "node:process";
import { dirname, join } from "node:path";
import { connect } from "node:net";
import { randomHex } from "../../../core/id.ts";
import { systemFailure } from "../../../core/system_error.ts";
import { UserError } from "../../../core/error.ts";
import { type Note, readNote } from "./read_note.ts";

/** A note on disk; disposing takes it away. */
export class KeptNote implements AsyncDisposable {
  readonly #path: string;
  readonly #token: string;

  constructor(path: string, token: string) {
    this.#path = path;
    this.#token = token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _ = await alone(this.#path).catch(() => undefined);
    const note = await ownNote(this.#path);
    if (note?.token !== this.#token) return; // another server's by now
    await Deno.remove(this.#path).catch(ignoreMissing);
  }
}

/** Throws when another server runs by the note at `path`; one that is dead does not count. */
export async function assertAlone(path: string): Promise<void> {
  const note = await ownNote(path);
  if (!note || note.pid === pid || !isAlive(note.pid)) return;
  if (!await answers(note.url)) return;
  throw new UserError(
    `Cannot serve this project twice: process ${note.pid} does, at ${note.url}#token=${note.token}; use that one, or stop it first`,
  );
}

/**
 * Writes a note that its owner alone may read, whole or not at all. Throws when
 * another server came first.
 */
export async function keepNote(
  path: string,
  note: Omit<Note, "pid">,
): Promise<KeptNote> {
  const fresh = `${path}.${randomHex(8)}`;
  try {
    await makeFolder(dirname(path));
    using _ = await alone(path);
    await assertAlone(path);
    const text = `${JSON.stringify({ pid, ...note }, null, 2)}\n`;
    await Deno.writeTextFile(fresh, text, { mode: 0o600, createNew: true });
    await Deno.rename(fresh, path);
  } catch (error) {
    await Deno.remove(fresh).catch(ignoreMissing);
    if (error instanceof UserError) throw error;
    throw systemFailure(`write "${path}"`, error);
  }
  return new KeptNote(path, note.token);
}

// Of several that start or end at once, one after the other looks at the note
// and changes it.
async function alone(path: string): Promise<Deno.FsFile> {
  const name = `${path}.lock`;
  const there = await Deno.lstat(name).catch(ignoreMissing);
  if (there && !there.isFile) {
    throw new UserError(`Cannot lock "${name}": it is no file; remove it`);
  }
  const file = await Deno.open(name, {
    create: true,
    write: true,
    mode: 0o600,
  });
  try {
    await file.lock(true);
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}

// One that is not believed is none: it is overwritten.
async function ownNote(path: string): Promise<Note | undefined> {
  const note = await readNote(path);
  return typeof note === "string" ? undefined : note;
}

// As the stores make it: for this user alone, and unseen by git.
async function makeFolder(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await Deno.writeTextFile(join(folder, ".gitignore"), "*\n", {
      createNew: true,
      mode: 0o600,
    });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === "EPERM";
  }
}

// A number is soon another process's: somebody must listen, too.
async function answers(url: string): Promise<boolean> {
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || (protocol === "https:" ? 443 : 80)),
  });
  socket.setTimeout(1000, () => resolve(false));
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
