import { dirname } from "node:path";
import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { UserError } from "../../../core/error.ts";
import { isObject } from "../../../core/json.ts";
import { nearest } from "../../../core/nearest.ts";
import { systemFailure } from "../../../core/system_error.ts";
import type { Editor, Home, JsonEditor, Launch } from "./editor.ts";
import { editors } from "./editors.ts";

/** What to install, and where. */
export interface InstallOptions {
  /** Shows what would be added and changes nothing. */
  readonly print: boolean;
  readonly launch: Launch;
  readonly home: Home;
}

/** Adds mm to an editor's settings; resolves to what to tell the user. Throws UserErrors. */
export async function installEditor(
  name: string,
  { print, launch, home }: InstallOptions,
): Promise<string> {
  const editor = editorOf(name);
  if (editor.type === "text") {
    return `Put this in ${editor.where}:\n\n${editor.text(launch)}`;
  }
  const file = editor.file(home);
  if (print) return `Add to ${file}:\n\n${snippet(editor, launch)}`;
  const before = await textOf(file);
  const after = added(before ?? "", file, editor, launch);
  if (after === before) return `mm is already in ${file}`;
  try {
    if (before !== undefined) await Deno.copyFile(file, `${file}.bak`);
    await Deno.mkdir(dirname(file), { recursive: true });
    await replace(file, after);
  } catch (error) {
    throw systemFailure(`write ${file}`, error);
  }
  return `Added mm to ${file}${
    before === undefined ? "" : ` (the file as it was: ${file}.bak)`
  }`;
}

function editorOf(name: string): Editor {
  const editor = Object.hasOwn(editors, name) ? editors[name] : undefined;
  if (editor) return editor;
  const near = nearest(name, Object.keys(editors));
  throw new UserError(
    `Cannot install for "${name}": ${
      near
        ? `did you mean "${near}"?`
        : `choose one of ${Object.keys(editors).join(", ")}`
    }`,
  );
}

function snippet({ path, entry }: JsonEditor, launch: Launch): string {
  const value = path.reduceRight<unknown>(
    (inner, key) => ({ [key]: inner }),
    entry(launch),
  );
  return `${JSON.stringify(value, null, 2)}\n`;
}

// Comments, commas and indentation of the rest stay as they are.
function added(
  text: string,
  file: string,
  { path, entry }: JsonEditor,
  launch: Launch,
): string {
  const errors: ParseError[] = [];
  const root: unknown = parse(text, errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  });
  const empty = text.trim() === "";
  const readable = errors.length === 0 &&
    (root === undefined || isObject(root) && isFree(root, path));
  if (!empty && !readable) {
    throw new UserError(
      `Cannot add mm to ${file}: it is not as expected; see --print and add it by hand`,
    );
  }
  const wanted = entry(launch);
  if (JSON.stringify(at(root, path)) === JSON.stringify(wanted)) return text;
  const edits = modify(text, [...path], wanted, {
    // First: behind the last one, its comment would end up behind ours.
    getInsertionIndex: () => 0,
    formattingOptions: { tabSize: 2, insertSpaces: !/^\t/m.test(text) },
  });
  return applyEdits(text, edits).replace(/\n?$/, "\n");
}

function isFree(root: unknown, path: readonly string[]): boolean {
  return path.slice(0, -1).every((_, i) => {
    const value = at(root, path.slice(0, i + 1));
    return value === undefined || isObject(value);
  });
}

function at(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => isObject(value) ? value[key] : undefined,
    root,
  );
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw systemFailure(`read ${file}`, error);
  }
}

// Settings are often a link into a repository of dotfiles: what it leads to is written.
async function replace(file: string, text: string): Promise<void> {
  let target = file;
  let mode: number | null = null;
  try {
    target = await Deno.realPath(file);
    ({ mode } = await Deno.stat(target));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  const temp = `${target}.mm-tmp`;
  await Deno.writeTextFile(temp, text, {
    ...(mode !== null && { mode: mode & 0o777 }),
  });
  await Deno.rename(temp, target);
}
