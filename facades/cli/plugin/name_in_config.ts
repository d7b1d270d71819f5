import { isAbsolute, relative, resolve } from "node:path";
import type { Place } from "../place.ts";
import { isExternal } from "./names.ts";

/** A plugin's name as agent.yaml has it: paths start at the project, not where the user is. */
export function nameInConfig(typed: string, { cwd, project }: Place): string {
  if (!isExternal(typed) || /^(~|[a-z][\w+.-]+:)/i.test(typed)) return typed;
  if (isAbsolute(typed) && !typed.startsWith(project)) return typed;
  const path = relative(project, resolve(cwd, typed)).replaceAll("\\", "/");
  return path.startsWith("../") ? path : `./${path}`;
}
