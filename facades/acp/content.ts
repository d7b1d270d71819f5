import type { ContentBlock as AcpBlock } from "@agentclientprotocol/sdk";
import { isObject } from "../../core/json.ts";
import {
  type BlockNotes,
  type Content,
  type ContentBlock,
  contentText,
} from "../../core/message.ts";
import type { Model } from "../../core/model.ts";
import { invalid } from "./fault.ts";

/** A prompt as it is recorded: the user's own blocks, and mere text as text. */
export function promptContent(
  prompt: readonly AcpBlock[],
  { accepts = {} }: Pick<Model, "accepts">,
): Content {
  if (prompt.length === 0) throw invalid("The prompt is empty");
  const blocks = prompt.map((block) => {
    const { type } = block;
    if ((type === "image" || type === "audio") && !accepts[type]) {
      throw invalid(`The model takes no ${type}`);
    }
    return { ...blockOf(block), ...notesOf(block) };
  });
  const [first] = blocks;
  const plain = blocks.length === 1 && first?.type === "text" &&
    !first.annotations && !first._meta;
  return plain ? first.text : blocks;
}

/** The text of a prompt that may be a command: it starts with one, other blocks follow as arguments. */
export function commandText(content: Content): string | undefined {
  const first = typeof content === "string" ? { text: content } : content[0];
  if (!first || !("text" in first) || !first.text.startsWith("/")) {
    return undefined;
  }
  return contentText(content).trim();
}

function notesOf({ annotations, _meta }: AcpBlock): BlockNotes {
  return {
    ...(isObject(annotations) && { annotations }),
    ...(isObject(_meta) && { _meta }),
  };
}

function blockOf(block: AcpBlock): ContentBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "image": {
      const { data, mimeType, uri } = block;
      return { type: "image", data, mimeType, ...(uri && { uri }) };
    }
    case "audio": {
      const { data, mimeType } = block;
      return { type: "audio", data, mimeType };
    }
    case "resource_link": {
      const { uri, name, title, description, mimeType, size } = block;
      return {
        type: "resource_link",
        uri,
        name,
        ...(title && { title }),
        ...(description && { description }),
        ...(mimeType && { mimeType }),
        ...(size != null && { size: Number(size) }),
      };
    }
    case "resource": {
      const { uri, mimeType, ...rest } = block.resource;
      const held = rest as { text?: string; blob?: string };
      return {
        type: "resource",
        resource: {
          uri,
          ...(mimeType && { mimeType }),
          ...(held.text !== undefined
            ? { text: held.text }
            : { blob: held.blob ?? "" }),
        },
      };
    }
    default:
      throw invalid("The prompt holds a block of unknown type");
  }
}
