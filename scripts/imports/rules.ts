/** What an import leads to: a file named from the root, or something outside. */
export interface Target {
  readonly name: string; // "core/fold.ts", or as written: "zod/mini"
  readonly outside: boolean;
}

const TABLES = ["plugins/table.ts", "facades/table.ts"];

/** What the stores that keep files share: of `plugins`, but no plugin. */
const SHARED = "plugins/files/";

/** Returns the rule that importing `to` from `file` breaks, if any. */
export function importRule(file: string, to: Target): string | undefined {
  const [zone] = file.split("/");
  if (zone === "tests" || zone === "scripts") return undefined;
  const rule = to.outside ? outside(file, to.name) : inside(file, to.name);
  return rule && `cannot import ${to.name}: ${rule}`;
}

/** Returns the rule that naming `Deno` in `file` breaks, if any. */
export function platformRule(file: string): string | undefined {
  if (inBrowsers(file)) return "cannot use Deno: it runs in browsers";
  if (!file.startsWith("core/") && file !== "mod.ts") return undefined;
  return "cannot use Deno: only plugins, facades, scripts and tests may";
}

function inBrowsers(file: string): boolean {
  return /^facades\/remote\/(?:web|client)\//.test(file);
}

function inside(file: string, to: string): string | undefined {
  const [zone, folder] = file.split("/");
  const own = `${zone}/${folder}/`;
  if (to.startsWith("core/")) return undefined;
  if (file === "mod.ts" || own === "facades/cli/") {
    const data = to === "deno.json"; // the version
    if (data || TABLES.includes(to) || to.startsWith(own)) return undefined;
    return "mod.ts and facades/cli import core and the two tables only";
  }
  if (TABLES.includes(file)) {
    if (to.startsWith(`${zone}/`)) return undefined;
    return `${file} imports core and ${zone} only`;
  }
  if (zone === "core") return "core imports core only";
  if (to.startsWith(own)) return undefined;
  if (zone !== "plugins" || own === SHARED) {
    return `${own} imports core and its own folder only`;
  }
  if (to.startsWith(SHARED)) return undefined;
  return `${own} imports core, ${SHARED} and its own folder only`;
}

function outside(file: string, to: string): string | undefined {
  if (/^(npm|jsr|https?):/.test(to)) {
    return "name it in the imports of deno.json";
  }
  if (to.startsWith("node:") && inBrowsers(file)) return "it runs in browsers";
  if (!file.startsWith("core/")) return undefined;
  if (/^zod($|\/mini$|\/v4\/core$)/.test(to)) return undefined;
  if (file === "core/nearest.ts" && to === "fastest-levenshtein") {
    return undefined;
  }
  if (file === "core/http/sse.ts" && to === "eventsource-parser") {
    return undefined;
  }
  const config = file.startsWith("core/config");
  if (config && to === "yaml") return undefined;
  return "core imports zod only (core/config also yaml, core/nearest fastest-levenshtein, core/http/sse eventsource-parser)";
}
