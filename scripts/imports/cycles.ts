import type { Import } from "./graph.ts";

/** A cycle, closed by its last import. */
export interface Cycle {
  readonly files: readonly string[];
  readonly closing: Import;
}

/**
 * Returns one cycle for each import that closes one, depth first. Types may
 * name each other in circles: only what loads code counts.
 */
export function cycles(imports: readonly Import[]): Cycle[] {
  const loading = imports.filter((each) => !each.typeOnly);
  const from = Map.groupBy(loading, (each) => each.file);
  const found: Cycle[] = [];
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): void => {
    if (done.has(file)) return;
    path.push(file);
    for (const each of from.get(file) ?? []) {
      const start = path.indexOf(each.to.name);
      if (start >= 0) found.push({ files: path.slice(start), closing: each });
      else visit(each.to.name);
    }
    path.pop();
    done.add(file);
  };
  for (const file of from.keys()) visit(file);
  return found;
}
