import { builtinCommands } from "./commands/all.ts";
import type { Bundle } from "./plugin.ts";

/** A bundle, and the name agent.yaml has for it. */
export interface NamedBundle {
  readonly name: string;
  readonly bundle: Bundle;
}

/**
 * Leaves out the tools and commands whose name is taken, and tells of each: a
 * model is not offered two tools of one name, and of two commands only the
 * first would ever run.
 */
export function withoutClashes(
  bundles: readonly NamedBundle[],
  tell: (line: string) => void,
): Bundle[] {
  const tools = new Set<string>();
  const commands = new Set(builtinCommands.map(({ name }) => name));
  return bundles.map(({ name: plugin, bundle }) => {
    const fresh =
      (what: string, taken: Set<string>) =>
      ({ name }: { readonly name: string }): boolean => {
        if (!taken.has(name)) return Boolean(taken.add(name));
        tell(
          `Left out ${what} "${name}" of plugin "${plugin}": the name is taken`,
        );
        return false;
      };
    return {
      name: plugin,
      ...hooksOf(bundle),
      tools: (bundle.tools ?? []).filter(fresh("tool", tools)),
      commands: (bundle.commands ?? []).filter(fresh("command", commands)),
    };
  });
}

// One by one: those of a class would not be copied.
function hooksOf(bundle: Bundle): Bundle {
  return {
    ...(bundle.context && {
      context: (messages, session) =>
        bundle.context?.(messages, session) ?? messages,
    }),
    ...(bundle.beforeRotate && {
      beforeRotate: (session) => bundle.beforeRotate?.(session),
    }),
    ...(bundle.serve && { serve: bundle.serve.bind(bundle) }),
  };
}
