import type { ContentBlock } from "@agentclientprotocol/sdk";
import {
  array,
  discriminatedUnion,
  literal,
  looseObject,
  string,
  union,
} from "zod/mini";
import { invalid } from "./fault.ts";

/** The blocks of a prompt that came in mm's own methods, which the SDK does not check. */
export function promptBlocks(prompt: unknown): ContentBlock[] {
  if (blocks().safeParse(prompt).success) return prompt as ContentBlock[];
  throw invalid("prompt must be an array of content blocks");
}

// Made when it is asked for: few clients ever do, and all wait for `initialize`.
function blocks() {
  const data = { data: string(), mimeType: string() };
  const resource = union([
    looseObject({ uri: string(), text: string() }),
    looseObject({ uri: string(), blob: string() }),
  ]);
  return array(discriminatedUnion("type", [
    looseObject({ type: literal("text"), text: string() }),
    looseObject({ type: literal("image"), ...data }),
    looseObject({ type: literal("audio"), ...data }),
    looseObject({
      type: literal("resource_link"),
      uri: string(),
      name: string(),
    }),
    looseObject({ type: literal("resource"), resource }),
  ]));
}
