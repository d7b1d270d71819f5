import type { ToolResult } from "../../core/tool.ts";
import { field } from "./json.ts";

/** What the model reads of a tool's answer. What is not text is described. */
export function toolResult(answer: unknown): ToolResult {
  const blocks = field(answer, "content");
  const parts = Array.isArray(blocks) ? blocks.map(blockText) : [];
  const content = parts.filter((part) => part !== "").join("\n") ||
    structured(answer) || "(no output)";
  const failed = field(answer, "isError") === true;
  return { content, ...(failed && { failed }) };
}

function structured(answer: unknown): string {
  const value = field(answer, "structuredContent");
  return value === undefined ? "" : JSON.stringify(value);
}

function blockText(block: unknown): string {
  const type = text(block, "type");
  switch (type) {
    case "text":
      return text(block, "text");
    case "image":
    case "audio":
      return `[${type} ${text(block, "mimeType")}, ${size(block, "data")}]`;
    case "resource_link": {
      const about = text(block, "description");
      const link = `[${text(block, "name")}](${text(block, "uri")})`;
      return about ? `${link}: ${about}` : link;
    }
    case "resource":
      return resourceText(field(block, "resource"));
    default:
      return `[${type || "unknown block"}]`;
  }
}

function resourceText(resource: unknown): string {
  const head = `[resource ${text(resource, "uri")}`;
  const body = field(resource, "text");
  if (typeof body === "string") return `${head}]\n${body}`;
  const type = text(resource, "mimeType") || "binary";
  return `${head}, ${type}, ${size(resource, "blob")}]`;
}

function text(value: unknown, key: string): string {
  const found = field(value, key);
  return typeof found === "string" ? found : "";
}

// Of base64: three bytes in four characters.
function size(value: unknown, key: string): string {
  const bytes = Math.floor(text(value, key).replace(/=+$/, "").length * 0.75);
  return bytes < 1000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`;
}
