import { isObject } from "../../core/json.ts";
import { array, isText, maybe, oneOf } from "./check.ts";
import { usageProblem } from "./check_usage.ts";

/** What is wrong with a stored message; undefined when nothing is. */
export function messageProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  if (!Number.isSafeInteger(value.seq)) return `"seq" is not a whole number`;
  if (!isText(value.id)) return `"id" is not text`;
  if (!isText(value.at)) return `"at" is not text`;
  switch (value.role) {
    case "system":
      return maybe(value, "summary", isTrue) ?? textProblem(value);
    case "user":
      return contentProblem(value.content);
    case "assistant":
      return textProblem(value) ?? assistantProblem(value);
    case "tool":
      return textProblem(value) ?? toolProblem(value);
    case undefined:
      return `it has no "role"`;
    default:
      return `"role" is not one of system, user, assistant, tool`;
  }
}

/** What is wrong with text or blocks, called `name`. */
export function contentProblem(
  content: unknown,
  name = "content",
): string | undefined {
  if (isText(content)) return undefined;
  return Array.isArray(content) && content.every(isBlock)
    ? undefined
    : `"${name}" is neither text nor a list of blocks`;
}

type Fields = Readonly<Record<string, unknown>>;

function textProblem({ content }: Fields): string | undefined {
  return isText(content) ? undefined : `"content" is not text`;
}

function assistantProblem(value: Fields): string | undefined {
  return maybe(value, "thought", isText) ??
    maybe(value, "model", isText) ??
    maybe(value, "stopReason", isText) ??
    maybe(value, "toolCalls", array(isCall)) ??
    (value.usage === undefined ? undefined : usageProblem(value.usage));
}

function toolProblem(value: Fields): string | undefined {
  if (!isText(value.toolCallId)) return `"toolCallId" is not text`;
  if (!isText(value.name)) return `"name" is not text`;
  return oneOf(value, "status", ["completed", "failed", "cancelled"]) ??
    oneOf(value, "approval", ["allowed", "denied", "auto"]) ??
    maybe(value, "title", isText) ??
    maybe(value, "kind", isText) ??
    maybe(value, "locations", array(isLocation)) ??
    maybe(value, "diffs", array(isDiff));
}

// Blocks of a type that is not known here come from a newer version: kept as they are.
function isBlock(block: unknown): boolean {
  if (!isObject(block) || !isText(block.type)) return false;
  switch (block.type) {
    case "text":
      return isText(block.text);
    case "image":
    case "audio":
      return isText(block.data) && isText(block.mimeType);
    case "resource_link":
      return isText(block.uri) && isText(block.name);
    case "resource":
      return isObject(block.resource) && isText(block.resource.uri);
    default:
      return true;
  }
}

function isTrue(value: unknown): boolean {
  return value === true;
}

function isCall(call: unknown): boolean {
  return isObject(call) && isText(call.id) && isText(call.name);
}

function isLocation(place: unknown): boolean {
  return isObject(place) && isText(place.path) && !maybe(place, "line", isLine);
}

function isDiff(diff: unknown): boolean {
  return isObject(diff) && isText(diff.path) && isText(diff.newText) &&
    (diff.oldText === null || isText(diff.oldText)) &&
    !maybe(diff, "line", isLine);
}

function isLine(line: unknown): boolean {
  return Number.isFinite(line);
}
