import { at, isObject, type JsonObject } from "../../core/json.ts";
import { plain } from "./plain.ts";

/** A tool as its server offers it, made safe to pass on. */
export interface Offer {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
}

/** The tools to use, and what was left out and why. */
export interface Listing {
  readonly offers: readonly Offer[];
  readonly problems: readonly string[];
}

/** One page of `tools/list`. */
export type GetPage = (cursor: string | undefined) => Promise<unknown>;

const MAX_TOOLS = 128; // the most that the APIs of models take
const MAX_PAGES = 100;
const MAX_SCHEMA = 64_000; // characters of JSON
const MAX_DESCRIPTION = 2000;

/** Reads all pages, up to what a model can be offered. */
export async function listTools(getPage: GetPage): Promise<Listing> {
  const offers = new Map<string, Offer>();
  const problems = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await getPage(cursor);
    const tools = at(page, "tools");
    if (!Array.isArray(tools)) problems.add("its list of tools is no list");
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (offers.size >= MAX_TOOLS) {
        problems.add(`only its first ${MAX_TOOLS} tools are used`);
        return { offers: [...offers.values()], problems: [...problems] };
      }
      const offer = readOffer(tool);
      if (typeof offer === "string") problems.add(offer);
      else if (offers.has(offer.name)) {
        problems.add(`it has two tools named "${plain(offer.name, 60)}"`);
      } else offers.set(offer.name, offer);
    }
    const next = at(page, "nextCursor");
    cursor = typeof next === "string" && next !== "" ? next : undefined;
    if (cursor === undefined) break;
    if (cursors.has(cursor) || cursors.size >= MAX_PAGES) {
      problems.add("its list of tools has no end");
      break;
    }
    cursors.add(cursor);
  } while (cursor !== undefined);
  return { offers: [...offers.values()], problems: [...problems] };
}

/** A tool, or why it cannot be used. */
function readOffer(tool: unknown): Offer | string {
  const name = at(tool, "name");
  if (typeof name !== "string" || name === "" || name.length > 1000) {
    return "it has a tool without a proper name";
  }
  const shown = plain(name, 60);
  if (at(tool, "execution", "taskSupport") === "required") {
    return `its tool "${shown}" runs as a task only, which is not supported`;
  }
  const schema = objectSchema(at(tool, "inputSchema"));
  const size = JSON.stringify(schema).length;
  if (size > MAX_SCHEMA) {
    const kB = Math.round(size / 1000);
    return `the schema of its tool "${shown}" is too big (${kB} kB)`;
  }
  return { name, description: describe(tool, name), schema };
}

// The APIs of models take nothing but objects, with their properties named.
function objectSchema(schema: unknown): JsonObject {
  const { $schema: _, ...rest } = isObject(schema) ? schema : {};
  const properties = isObject(rest["properties"]) ? rest["properties"] : {};
  return { ...rest, type: "object", properties };
}

function describe(tool: unknown, name: string): string {
  const texts = [
    at(tool, "description"),
    at(tool, "title"),
    at(tool, "annotations", "title"),
    name,
  ];
  const text = texts.find((t) => typeof t === "string" && t.trim() !== "");
  const all = String(text).trim().toWellFormed();
  if (all.length <= MAX_DESCRIPTION) return all;
  return `${all.slice(0, MAX_DESCRIPTION).toWellFormed()}…`;
}
