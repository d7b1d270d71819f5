import type { ToolResult } from "../../core/tool.ts";
import { at, textAt } from "../../core/json.ts";

/** What the model reads of a tool's answer. What is not text is described. */
export function toolResult(answer: unknown): ToolResult {
  const blocks = at(answer, "content");
  const parts = Array.isArray(blocks) ? blocks.map(blockText) : [];
  const content = parts.filter((part) => part !== "").join("\n") ||
    structured(answer) || "(no output)";
  const failed = at(answer, "isError") === true;
  return { content, ...(failed && { failed }) };
}

function structured(answer: unknown): string {
  const value = at(answer, "structuredContent");
  return value === undefined ? "" : JSON.stringify(value);
}

function blockText(block: unknown): string {
  const type = textAt(block, "type");
  switch (type) {
    case "text":
      return textAt(block, "text");
    case "image":
    case "audio":
      return `[${type} ${textAt(block, "mimeType")}, ${size(block, "data")}]`;
    case "resource_link": {
      const about = textAt(block, "description");
      const link = `[${textAt(block, "name")}](${textAt(block, "uri")})`;
      return about ? `${link}: ${about}` : link;
    }
    case "resource":
      return resourceText(at(block, "resource"));
    default:
      return `[${type || "unknown block"}]`;
  }
}

function resourceText(resource: unknown): string {
  const head = `[resource ${textAt(resource, "uri")}`;
  const body = at(resource, "text");
  if (typeof body === "string") return `${head}]\n${body}`;
  const type = textAt(resource, "mimeType") || "binary";
  return `${head}, ${type}, ${size(resource, "blob")}]`;
}

// Of base64: three bytes in four characters.
function size(value: unknown, key: string): string {
  const bytes = Math.floor(textAt(value, key).replace(/=+$/, "").length * 0.75);
  return bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`;
}
