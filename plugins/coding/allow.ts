import { guardReason } from "./guards.ts";
import { neverReason } from "./never.ts";
import { leadsToOwn } from "./own.ts";
import type { Simple } from "./tree.ts";
import { takeApart } from "./tree.ts";

/** What the rule says of a shell command. */
export type Ruling =
  | { readonly allowed: true }
  | {
    readonly allowed: false;
    /** Why it must be asked, as a short phrase. */
    readonly reason: string;
    /** The prefix that would allow it next time, where one prefix is enough. */
    readonly scope?: string;
  };

/** Programs whose subcommands are commands of their own: a prefix names both. */
const MULTI = new Set(
  `git npm pnpm yarn deno cargo go docker podman kubectl helm apt apt-get dnf
  yum pacman brew snap pip pip3 uv poetry bundle gem gh glab hg svn systemctl
  service journalctl terraform tofu aws gcloud az dotnet mvn gradle composer
  rustup nix zig swift flutter dart mix rake make just task launchctl ip
  firebase vercel netlify fly heroku`.trim().split(/\s+/),
);

/** Subcommands that hold harmless and harmful ones: a prefix names the third word too. */
const DEEP = new Set([
  ...["remote", "stash", "worktree", "notes", "bisect", "reflog", "submodule"]
    .map((verb) => `git ${verb}`),
  "go mod",
  "gh pr",
  "gh repo",
  "gh issue",
  "gh release",
  "gh secret",
  "gh auth",
  "uv pip",
  "npm cache",
  "docker compose",
  "docker image",
  "docker volume",
  "docker system",
  "docker network",
]);

/** Subcommands that run a script named next: remembered with its name, listable without. */
const SCRIPTS = new Set([
  "npm run",
  "npm run-script",
  "pnpm run",
  "yarn run",
  "deno task",
]);

/**
 * Tells whether `command` may run without asking: each simple command in it
 * starts with the words of one of `prefixes`, and nothing in it can mean more
 * than it says. `cwd` makes `cd` to that very folder harmless.
 */
export function rule(
  command: string,
  prefixes: readonly string[],
  cwd?: string,
): Ruling {
  const parsed = takeApart(command);
  if ("reason" in parsed) return { allowed: false, reason: parsed.reason };
  if (parsed.patterns.some(leadsToOwn)) {
    return { allowed: false, reason: "names mm's own files" };
  }
  const listed = prefixes.map((prefix) => prefix.trim().split(/\s+/));
  const wanted = new Set<string>();
  for (const simple of parsed.commands.map(unpaged)) {
    if (stays(simple, cwd)) continue;
    const reason = danger(simple);
    if (reason) return { allowed: false, reason };
    if (listed.some((prefix) => matches(simple, prefix))) continue;
    const scope = scopeOf(simple);
    if (scope === undefined) {
      return { allowed: false, reason: "not in the allowed commands" };
    }
    wanted.add(scope);
  }
  if (wanted.size === 0) return { allowed: true };
  const reason = "not in the allowed commands";
  const [scope = ""] = wanted;
  if (wanted.size > 1) return { allowed: false, reason };
  return { allowed: false, reason, scope };
}

function danger({ words, plain }: Simple): string | undefined {
  const [program] = words;
  if (plain === 0 || !program) return "hides which command it runs";
  if (!/^[\w@%+:,./[-]+$/.test(program)) return "hides which command it runs";
  return neverReason(program) ?? guardReason(words);
}

// `git --no-pager x` is `git x`.
function unpaged(simple: Simple): Simple {
  const { words, plain } = simple;
  if (words[0] !== "git" || words[1] !== "--no-pager" || plain < 2) {
    return simple;
  }
  return { words: ["git", ...words.slice(2)], plain: plain - 1 };
}

// `cd` to where it already is.
function stays({ words, plain }: Simple, cwd: string | undefined): boolean {
  const [program, folder, more] = words;
  return program === "cd" && plain > 0 && cwd !== undefined &&
    words.length === 2 && more === undefined &&
    (folder === "." || folder === cwd);
}

function matches(simple: Simple, prefix: readonly string[]): boolean {
  return prefix.length >= depth(simple) && prefix.length <= simple.plain &&
    prefix[0] !== "" && prefix.every((token, i) => token === simple.words[i]);
}

/** How many words say which command it is; Infinity when they cannot be told. */
function depth({ words }: Simple): number {
  const [program = "", verb, ...rest] = words;
  if (!MULTI.has(base(program)) || verb === undefined) return 1;
  if (!DEEP.has(`${base(program)} ${verb}`)) return 2;
  const named = rest.findIndex((word) => !word?.startsWith("-"));
  return named < 0 ? 2 : named === 0 ? 3 : Infinity;
}

function scopeOf(simple: Simple): string | undefined {
  const { words, plain } = simple;
  const [program = "", verb = ""] = words;
  const script = SCRIPTS.has(`${base(program)} ${verb}`) && words.length > 2;
  const tokens = script ? 3 : depth(simple);
  if (plain < tokens) return undefined;
  const scope = words.slice(0, tokens);
  if (tokens > 1 && scope.slice(1).some((word) => !isName(word))) {
    return undefined;
  }
  // "git" alone would allow nothing that comes after it.
  if (tokens === 1 && MULTI.has(base(program)) && words.length > 1) {
    return undefined;
  }
  return scope.join(" ");
}

function isName(word: string | undefined): boolean {
  return word !== undefined && /^[\w@:][\w@:./-]*$/.test(word);
}

function base(program: string): string {
  return program.replace(/^.*\//, "");
}
