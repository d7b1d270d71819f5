import { parseUse, type Use } from "../../../core/config.ts";
import { same } from "../../../core/same.ts";
import { UsageError } from "../usage_error.ts";
import type { Edit } from "./edit.ts";
import type { UsePlace } from "./places.ts";

type Options = Readonly<Record<string, unknown>>;

/** What a plugin is given, beside the options it has. */
export interface NewOptions {
  readonly set: Options;
  /** Keys that go back to their defaults, as `["headers.X-A"]`. */
  readonly unset: readonly string[];
}

/** How a plugin comes to be used at a place of agent.yaml. */
export interface UseEdits {
  /** All of its options then. */
  readonly options: Options;
  /** None when it is there as it should be. */
  readonly edits: readonly Edit[];
}

/** Names a plugin at a place, or changes single options of the one that is there: the others stay. */
export function useEdits(
  name: string,
  { path, use }: { readonly path: UsePlace["path"]; readonly use?: Use },
  { set, unset }: NewOptions,
): UseEdits {
  const there = use === undefined ? undefined : parseUse(use);
  const known = there?.name === name ? there.options : undefined;
  const keys = unset.map((key) => key.split("."));
  for (const key of keys) {
    if (key.reduce<unknown>(inner, known) !== undefined) continue;
    throw new UsageError(
      `Cannot take option "${key.join(".")}" from ${name}: it does not have it`,
    );
  }
  const options = keys.reduce(without, merged(known ?? {}, set));
  if (known && typeof use === "object") {
    const gone = keys.map((key) => ({ path: [...path, ...key] }));
    return {
      options,
      edits: [
        ...changes(known, set).map((e) => ({
          ...e,
          path: [...path, ...e.path],
        })),
        ...gone.map((e) => ({ ...e, value: undefined })),
      ],
    };
  }
  const value = Object.keys(options).length > 0
    ? { use: name, ...options }
    : name;
  return { options, edits: same(value, use) ? [] : [{ path, value }] };
}

function merged(old: Options, set: Options): Options {
  return Object.entries(set).reduce<Options>((all, [key, value]) => {
    const now = inner(old, key);
    const both = isMap(now) && isMap(value) ? merged(now, value) : value;
    return { ...all, [key]: both };
  }, old);
}

function changes(old: Options, set: Options): readonly Edit[] {
  return Object.entries(set).flatMap(([key, value]): readonly Edit[] => {
    const now = inner(old, key);
    if (isMap(now) && isMap(value)) {
      return changes(now, value)
        .map((edit) => ({ ...edit, path: [key, ...edit.path] }));
    }
    return same(now, value) ? [] : [{ path: [key], value }];
  });
}

function without(
  options: Options,
  [key = "", ...rest]: readonly string[],
): Options {
  const { [key]: now, ...others } = options;
  return rest.length > 0 && isMap(now)
    ? { ...others, [key]: without(now, rest) }
    : others;
}

function inner(value: unknown, key: string): unknown {
  return isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function isMap(value: unknown): value is Options {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
