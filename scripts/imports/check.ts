import { join } from "node:path";
import { cycles } from "./cycles.ts";
import { type Import, readGraph, sources } from "./graph.ts";
import { importRule, platformRule } from "./rules.ts";

/** One broken rule and where. */
export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

/** Returns every violation in the tree at `root`, in the order of its files. */
export async function checkImports(root: string): Promise<Violation[]> {
  const files = await sources(root);
  const { imports, broken } = await readGraph(root, files);
  const found = [
    ...broken.flatMap(unparsed),
    ...imports.flatMap(forbidden),
    ...cycles(imports).map(({ files, closing: { file, line } }) => {
      const rule = `no import cycles: ${[...files, files[0]].join(" > ")}`;
      return { file, line, rule };
    }),
    ...(await Promise.all(files.map((file) => platform(root, file)))).flat(),
  ];
  return found.sort((a, b) => order(a.file, b.file) || a.line - b.line);
}

// Tests may keep broken plugins as samples.
function unparsed(file: string): Violation[] {
  if (file.startsWith("tests/")) return [];
  return [{ file, line: 1, rule: "cannot be parsed: see deno check" }];
}

function forbidden({ file, line, to }: Import): Violation[] {
  const rule = importRule(file, to);
  return rule ? [{ file, line, rule }] : [];
}

async function platform(root: string, file: string): Promise<Violation[]> {
  const rule = platformRule(file);
  if (!rule) return [];
  const code = codeOnly(await Deno.readTextFile(join(root, file)));
  return code.split("\n").flatMap((text, index) =>
    /\bDeno\b/.test(text) ? [{ file, line: index + 1, rule }] : []
  );
}

// Empties comments and strings but for their newlines. Templates stay, since
// their ${…} is code.
function codeOnly(source: string): string {
  const quiet =
    /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
  return source.replace(quiet, (text) => text.replace(/[^\n]/g, ""));
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
