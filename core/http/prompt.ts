import type { ContentBlock } from "../message.ts";

/** An attached text, fenced and under its address, as a model reads it. */
export function fenced(uri: string, text: string): string {
  const longest = Math.max(
    2,
    ...(text.match(/`{3,}/g) ?? []).map((run) => run.length),
  );
  const fence = "`".repeat(longest + 1);
  return `${fence} ${uri}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** A block as text, for what a model API takes only as text. */
export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "resource": {
      const { uri, mimeType, text } = block.resource;
      return text === undefined
        ? `[${mimeType ?? "binary file"}: ${uri}]`
        : fenced(uri, text);
    }
    case "resource_link":
      return `[${block.name}](${block.uri})`;
    default:
      return `[${block.type} ${block.mimeType}]`;
  }
}

/** The image in a block, attached files included. */
export function imageOf(
  block: ContentBlock,
): { mimeType: string; data: string } | undefined {
  if (block.type === "image") return block;
  if (block.type !== "resource") return undefined;
  const { mimeType, blob } = block.resource;
  return mimeType?.startsWith("image/") && blob !== undefined
    ? { mimeType, data: blob }
    : undefined;
}

/** Tool arguments as the object every model API expects, whatever the model sent once. */
export function argumentsObject(value: unknown): object {
  if (value === undefined || value === null || value === "") return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  return typeof value === "string" ? { invalid_json: value } : { value };
}

/** Tool arguments as the model sent them; the text itself when it is no JSON, or none that can be kept. */
export function parseArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    const parsed: unknown = JSON.parse(text);
    // Some servers encode twice.
    const value = typeof parsed === "string" ? JSON.parse(parsed) : parsed;
    return isDeep(value) ? text : value ?? {};
  } catch {
    return text;
  }
}

// What is parsed without end of depth may end the stack when it is written again.
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((v) =>
      typeof v === "object" && v !== null ? Object.values(v) : []
    );
  }
  return false;
}

const MAX_DEPTH = 500;
