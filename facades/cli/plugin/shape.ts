import { errorLine } from "../../../core/error.ts";
import { API_VERSION } from "../../../core/plugin.ts";

/** Why what a plugin exports cannot be used; undefined when it can. */
export function exportProblem(plugin: unknown): string | undefined {
  try {
    return versionProblem(plugin) ?? shapeProblem(plugin);
  } catch (error) {
    return `looking at it failed: ${errorLine(error)}`; // a getter, a proxy
  }
}

// First: what another version calls a plugin may have another shape.
function versionProblem(plugin: unknown): string | undefined {
  const made = (plugin as { apiVersion?: unknown } | null | undefined)
    ?.apiVersion ?? 1;
  if (typeof made !== "number" || !Number.isInteger(made)) {
    return `its apiVersion ${shown(made)} is no whole number`;
  }
  const ours = `it is made for version ${made} of the plugin API, this mm`;
  if (made > API_VERSION) {
    return `${ours} knows ${API_VERSION}: upgrade mm, or take an earlier version of the plugin`;
  }
  if (made < OLDEST) {
    return `${ours} takes ${OLDEST} at least: take a later version of the plugin`;
  }
  return undefined;
}

/** The oldest version that still works. */
const OLDEST = 1;

function shapeProblem(plugin: unknown): string | undefined {
  if (typeof plugin !== "object" || plugin === null) {
    return `it exports no "plugin" (nor a default) made by defineStore, defineModel, defineCompactor or definePlugin`;
  }
  const { kind, name, options, open } = plugin as Record<string, unknown>;
  if (!KINDS.has(kind)) {
    return `its kind ${shown(kind)} is not one of ${
      [...KINDS].join(", ")
    }; make it with defineStore or the like`;
  }
  if (typeof name !== "string" || name === "") return "it has no name";
  if (!isSchema(options)) return "its options are no schema of zod 4";
  return typeof open === "function" ? undefined : "it has no open function";
}

const KINDS: ReadonlySet<unknown> = new Set([
  "store",
  "model",
  "compactor",
  "plugin",
]);

/** Tells a schema of zod 4 from anything else. */
export function isSchema(value: unknown): boolean {
  const { _zod } = (value ?? {}) as { _zod?: { run?: unknown } };
  return typeof _zod?.run === "function";
}

// JSON has no form for some values.
function shown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}
