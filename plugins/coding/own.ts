/**
 * Whether a word of a shell command, as the pattern it is, leads to what mm
 * keeps in `.mm`; the output of commands apart.
 */
export function leadsToOwn(pattern: string): boolean {
  const words = withoutBraces(pattern);
  return words === undefined || words.some(isOwn);
}

// What the file tools ask for, a listed `cat` must not show; the output of
// commands apart, unless the path leads on from there.
const OWN = /(?<![\w.*?-])\.mm(?:\/(?!output(?:$|\/(?!.*\.\.)))|$)/i;

function isOwn(word: string): boolean {
  return OWN.test(word) || word.split("/").some(mayMeanOwn);
}

// A shell lets no wildcard stand for the dot that a name begins with.
function mayMeanOwn(part: string): boolean {
  if (!/^\..*[*?]/s.test(part)) return false;
  // One star for many: they would be tried in every combination.
  const source = RegExp.escape(part).replaceAll(/(?:\\\*)+/g, ".*")
    .replaceAll("\\?", ".");
  return new RegExp(`^${source}$`, "is").test(".mm");
}

const MOST = 500;

// Every word that the braces of one make, from the innermost on; undefined
// where they are too many.
function withoutBraces(pattern: string): string[] | undefined {
  const words: string[] = [];
  const left = [pattern];
  for (let word = left.pop(); word !== undefined; word = left.pop()) {
    if (left.length + words.length > MOST) return undefined;
    const [, before, list, after] = BRACES.exec(word) ?? [];
    if (list === undefined) words.push(word);
    else left.push(...choices(list).map((one) => `${before}${one}${after}`));
  }
  return words;
}

const BRACES = /^(.*)\{([^{}]*)\}(.*)$/s;

// A range may be of any letters. What is neither stays, and is no path of ours.
function choices(list: string): readonly string[] {
  if (list.includes(",")) return list.split(",");
  return list.includes("..") ? ["*"] : [`_${list}_`];
}
