import { decode, encode } from "@jridgewell/sourcemap-codec";
import type { SourceMapSegment } from "@jridgewell/sourcemap-codec";

/** The parts of a source map that matter here. */
export interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
  readonly [more: string]: unknown;
}

/**
 * What a stack trace needs of a map: the lines of our own sources. Every start
 * reads all the maps of the binary, and most of them is about packages, or
 * tells columns of one line apart.
 */
export function slimMap(
  { sourcesContent: _, ...map }: SourceMap,
  isOwn: (source: string) => boolean,
): SourceMap {
  const sources = map.sources.filter(isOwn);
  const places = map.sources.map((source) => sources.indexOf(source));
  const lines = decode(map.mappings).map((line) => slimLine(line, places));
  return { ...map, sources, names: [], mappings: encode(lines) };
}

// Segments where another line begins; one without a source ends what is ours.
function slimLine(
  segments: readonly SourceMapSegment[],
  places: readonly number[],
): SourceMapSegment[] {
  const kept: SourceMapSegment[] = [];
  let before = "";
  for (const [start, from, line = 0, column = 0] of segments) {
    const source = from === undefined ? -1 : places[from] ?? -1;
    const place = source < 0 ? "" : `${source}:${line}`;
    if (place === before) continue;
    kept.push(source < 0 ? [start] : [start, source, line, column]);
    before = place;
  }
  return kept;
}
