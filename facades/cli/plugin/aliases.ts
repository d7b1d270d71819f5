import { isNode, parseDocument, visit } from "yaml";
import type { Edit } from "./edit.ts";
import { type Range, rangeOf } from "./range.ts";
import { written } from "./written.ts";

/** The text with plain values where aliases stand for what a change at `path` touches: they keep what they meant. */
export function withoutAliases(text: string, path: Edit["path"]): string {
  const document = parseDocument(text);
  // What is not there yet comes into what is around it.
  const taken = path.map((_, i) =>
    rangeOf(document.getIn(path.slice(0, i + 1), true))
  )
    .findLast((range) => range !== undefined);
  if (!taken) return text;
  const found: (readonly [Range, string])[] = [];
  visit(document, {
    Alias(_key, alias) {
      const node = alias.resolve(document);
      const [range, source] = [alias, node].map(rangeOf);
      if (!range || !source || !isNode(node) || isIn(taken, range)) return;
      if (!isIn(taken, source) && !isIn(source, taken)) return;
      found.push([range, written(node.toJS(document), text)]);
    },
  });
  return found.reduceRight(
    (all, [[start, end], put]) => all.slice(0, start) + put + all.slice(end),
    text,
  );
}

function isIn([start, end]: Range, inner: Range): boolean {
  return start <= inner[0] && inner[1] <= end;
}
