import type { Content, ContentBlock } from "../../../core/message.ts";
import { memo } from "./memo.ts";
import { clean, oneLine } from "./text.ts";

/** Longest question that is shown whole at once, in UTF-16 units. */
const MAX_TEXT = 20_000;

/** What somebody asked. */
export const UserBubble = memo((
  { content }: { readonly content: Content },
) => (
  <div class="bubble" dir="auto">
    {typeof content === "string"
      ? <Words text={content} />
      : content.map((block, i) => <Piece key={i} block={block} />)}
  </div>
));

function Piece({ block }: { readonly block: ContentBlock }) {
  switch (block.type) {
    case "text":
      return <Words text={block.text} />;
    case "image":
      return isPicture(block.mimeType)
        ? (
          <img
            alt="Attached image"
            src={`data:${block.mimeType};base64,${block.data}`}
          />
        )
        : <Attached name={block.mimeType} />;
    case "resource_link":
      return <Attached name={block.title ?? block.name} />;
    case "resource":
      return <Attached name={block.resource.uri} />;
    default:
      return <Attached name={`${block.type} ${block.mimeType}`} />;
  }
}

function Attached({ name }: { readonly name: string }) {
  return (
    <p class="attached">
      <bdi>{oneLine(name)}</bdi>
    </p>
  );
}

function Words({ text }: { readonly text: string }) {
  const words = clean(text).trim();
  if (words.length <= MAX_TEXT) return <p>{words}</p>;
  return (
    <details>
      <summary>{words.slice(0, 400)}…</summary>
      <p>{words}</p>
    </details>
  );
}

// What a browser only draws; an SVG may hold more, though not in <img>.
function isPicture(type: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(type);
}
