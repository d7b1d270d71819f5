/** One thing the demo is asked to do. */
export type Wish =
  | {
    readonly type: "call";
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    /** Said before the call. */
    readonly intent: string;
  }
  | { readonly type: "count"; readonly to: number }
  | { readonly type: "think"; readonly about: string }
  | { readonly type: "fail" }
  | { readonly type: "help" };

const MAX_COUNT = 10_000;

/** Reads a request, part by part; what it does not understand asks for help. */
export function parseRequest(text: string): Wish[] {
  return text.split(/\s+then\s+/i).map((part) => wish(part.trim()));
}

function wish(text: string): Wish {
  for (const [pattern, make] of RULES) {
    const groups = pattern.exec(text);
    if (groups) return make(...groups.slice(1));
  }
  return { type: "help" };
}

type Rule = [RegExp, (...groups: (string | undefined)[]) => Wish];

// First match wins. A group that did not match is undefined.
const RULES: readonly Rule[] = [
  [/^(?:read|cat)\s+(.+)$/is, (path) => read(name(path))],
  [
    /^(?:list|ls)(?:\s+(?:files(?:\s+in)?\s*)?(.*))?$/is,
    (path) => list(name(path)),
  ],
  [
    /^(?:search|grep)\s+(?:for\s+)?(.+?)(?:\s+in\s+(\S+))?$/is,
    (pattern, path) => search(name(pattern), name(path)),
  ],
  [/^(?:run\s+|\$\s*)(.+)$/is, (command = "") => shell(unquoted(command, "`"))],
  [
    /^write\s+([^\s:]+)\s*:\s?(.*)$/is,
    (path, content) => write(name(path), content ?? ""),
  ],
  [
    /^write\s+(.+?)\s+(?:in)?to\s+(\S+)$/is,
    (content, path) => write(name(path), unquoted(content ?? "")),
  ],
  [
    /^edit\s+([^\s:]+)\s*:\s?(.+?)\s*->\s?(.*)$/is,
    (path, old, text) => edit(name(path), old ?? "", text ?? ""),
  ],
  [/^count(?:\s+to)?\s+(\d+)\b/i, (n) => ({
    type: "count",
    to: Math.min(Number(n), MAX_COUNT),
  })],
  [/^think(?:\s+(?:about\s+)?(.+))?$/is, (about = "nothing") => ({
    type: "think",
    about,
  })],
  [/^fail\b/i, () => ({ type: "fail" })],
];

function read(path: string): Wish {
  return called("read", { path }, `I will read ${path}.`);
}

function list(path: string): Wish {
  return path
    ? called("list", { path }, `I will list ${path}.`)
    : called("list", {}, "I will list the project.");
}

function search(pattern: string, path: string): Wish {
  const where = path ? { path } : {};
  return called(
    "search",
    { pattern, ...where },
    `I will search for ${pattern}.`,
  );
}

function shell(command: string): Wish {
  return called("shell", { command }, `I will run ${command}.`);
}

function write(path: string, content: string): Wish {
  const text = content.endsWith("\n") ? content : `${content}\n`;
  return called("write", { path, content: text }, `I will write ${path}.`);
}

function edit(path: string, old: string, text: string): Wish {
  return called("edit", { path, old, new: text }, `I will edit ${path}.`);
}

function called(
  name: string,
  args: Readonly<Record<string, unknown>>,
  intent: string,
): Wish {
  return { type: "call", name, arguments: args, intent };
}

// People write "read README.md." and "read `my file`."
function name(text = ""): string {
  const bare = (t: string) => /[^./][.?!]$/.test(t) ? t.slice(0, -1) : t;
  return bare(unquoted(bare(text.trim())));
}

function unquoted(text: string, quotes = "`\"'"): string {
  const [first = "", last] = [text[0], text.at(-1)];
  return text.length > 1 && first === last && quotes.includes(first)
    ? text.slice(1, -1)
    : text;
}
