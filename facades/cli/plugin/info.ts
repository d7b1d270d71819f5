import { toJSONSchema } from "zod/v4/core";
import { nearest } from "../../../core/nearest.ts";
import type { Plugin } from "../../../core/plugin.ts";
import { plugins } from "../../../plugins/table.ts";
import { clean } from "../clean.ts";
import { EXIT } from "../exit.ts";
import type { Flags } from "../flags.ts";
import { print, printJson } from "../output.ts";
import { UsageError } from "../usage_error.ts";
import { describe, type Description } from "./describe.ts";
import { nameInConfig } from "./name_in_config.ts";
import { isExternal } from "./names.ts";
import { openPlace } from "../open_place.ts";
import type { JsonOption } from "./program.ts";

/** `mm plugin info`: what a plugin is, where it is used and which options it takes. */
export async function info(
  typed: string,
  { json }: JsonOption,
  flags: Flags,
): Promise<number> {
  const { place, loaded } = await openPlace(flags);
  const name = nameInConfig(typed, place);
  if (!isExternal(name) && !Object.hasOwn(plugins, name)) {
    throw noPlugin(name);
  }
  const { about, plugin } = await describe(name, loaded.config, place.project);
  const { problem, sha256 } = about;
  if (problem !== undefined && sha256 === undefined) {
    throw new UsageError(problem); // there is nothing to show
  }
  const options = plugin && optionsOf(plugin);
  if (json) await printJson({ ...about, ...(options && { options }) });
  else await print(clean(text(about, options)));
  return problem === undefined ? EXIT.ok : EXIT.failed;
}

/** What to throw where a name is no plugin's. */
export function noPlugin(name: string): UsageError {
  const near = nearest(name, Object.keys(plugins));
  return new UsageError(
    `Cannot find plugin "${name}": ${
      near
        ? `did you mean "${near}"?`
        : "see mm plugin list, or give a path (./x.js) or npm:<package>"
    }`,
  );
}

interface Option {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Option[];
  readonly items?: Option;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly required?: boolean;
}

function optionsOf({ options }: Plugin): Record<string, Option> {
  const { properties = {}, required = [] } = toJSONSchema(options, {
    io: "input",
    unrepresentable: "any",
  }) as { properties?: Record<string, object>; required?: string[] };
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [
      key,
      { ...schema, required: required.includes(key) },
    ]),
  );
}

function text(
  about: Description,
  options: Readonly<Record<string, Option>> = {},
): string {
  const lines = [
    `${about.name}${about.kind ? ` (${about.kind})` : ""}${
      about.about ? `: ${about.about}` : ""
    }`,
    `${about.builtIn ? "Built in" : "From outside"}, ${
      about.usedBy.length > 0
        ? `used by ${about.usedBy.join(", ")}`
        : about.always
        ? "always used"
        : "not used"
    }`,
    ...about.sha256
      ? [`sha256 ${about.sha256}, ${about.trusted ? "" : "not "}trusted`]
      : [],
    ...about.problem ? [about.problem] : [],
    ...Object.entries(options).map(([key, option]) =>
      `  ${key}: ${lineOf(option)}`
    ),
  ];
  return lines.join("\n") + "\n";
}

function lineOf(option: Option): string {
  const { default: value, description, required = false } = option;
  const parts = [
    kindOf(option),
    ...required ? ["required"] : [],
    ...value === undefined ? [] : [`default ${JSON.stringify(value)}`],
  ];
  return [parts.join(", "), ...description ? [description] : []].join("; ");
}

function kindOf({ type, anyOf, items, enum: values }: Option): string {
  if (values) return values.map((v) => JSON.stringify(v)).join(" or ");
  if (anyOf) return anyOf.map(kindOf).join(" or ");
  if (items) return `list of ${kindOf(items)}`;
  return [type ?? "any"].flat().join(" or ");
}
