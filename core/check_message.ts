import {
  array,
  type Fields,
  isNumber,
  isText,
  maybe,
  oneOf,
  textsProblem,
} from "./check.ts";
import { isObject } from "./json.ts";

/** What is wrong with a message in a record; undefined when nothing is. */
export function storedProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  if (!Number.isSafeInteger(value.seq)) return `"seq" is not a whole number`;
  if (!isText(value.at)) return `"at" is not text`;
  return messageProblem(value);
}

/**
 * What is wrong with a message, for every store alike; undefined when nothing
 * is. By hand: logs hold a hundred thousand, and a schema takes thirty times as long.
 */
export function messageProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not an object";
  if (!isText(value.id)) return `"id" is not text`;
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

/** What is wrong with a count of tokens. */
export function usageProblem(value: unknown): string | undefined {
  return isObject(value) && isNumber(value.input) && isNumber(value.output) &&
      !maybe(value, "cached", isNumber)
    ? undefined
    : `"usage" is not {input, output, cached?} in tokens`;
}

function textProblem({ content }: Fields): string | undefined {
  return isText(content) ? undefined : `"content" is not text`;
}

function assistantProblem(value: Fields): string | undefined {
  return maybe(value, "thought", isText) ??
    maybe(value, "model", isText) ??
    maybe(value, "stopReason", isText) ??
    maybe(value, "toolCalls", array(isCall)) ??
    maybe(value, "saw", isNumber) ??
    (value.usage === undefined ? undefined : usageProblem(value.usage));
}

function toolProblem(value: Fields): string | undefined {
  return textsProblem(value, ["toolCallId", "name"]) ??
    oneOf(value, "status", ["completed", "failed", "cancelled"]) ??
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
  return isObject(place) && isText(place.path) &&
    !maybe(place, "line", isNumber);
}

function isDiff(diff: unknown): boolean {
  return isObject(diff) && isText(diff.path) && isText(diff.newText) &&
    (diff.oldText === null || isText(diff.oldText)) &&
    !maybe(diff, "line", isNumber);
}
