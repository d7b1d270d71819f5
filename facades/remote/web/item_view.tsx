import type { Item } from "../client/items.ts";
import type { Actions } from "./actions.ts";
import { Folded } from "./folded.tsx";
import { MarkdownText } from "./markdown_text.tsx";
import { memo } from "./memo.ts";
import { NoteLine } from "./note_line.tsx";
import { PendingBubble } from "./pending_bubble.tsx";
import { asked, ToolItem } from "./tool_item.tsx";
import { UserBubble } from "./user_bubble.tsx";

/** One item of the conversation. `data-kind` and `data-id` tell which. */
export const ItemView = memo((
  { item, actions, offline }: {
    readonly item: Item;
    readonly actions: Actions;
    readonly offline: boolean;
  },
) => {
  const [kind, id] = nameOf(item);
  return (
    <li class={`item item-${kind}`} data-kind={kind} data-id={id}>
      <Body item={item} actions={actions} offline={offline} />
    </li>
  );
});

function Body(
  { item, actions, offline }: {
    readonly item: Item;
    readonly actions: Actions;
    readonly offline: boolean;
  },
) {
  switch (item.type) {
    case "omitted":
      return <p class="quiet center">Earlier messages omitted</p>;
    case "summary":
      return (
        <Folded
          name="summary"
          text={item.text}
          label="Summary of earlier messages"
        />
      );
    case "user":
      return (
        <>
          <span class="visually-hidden">You asked:</span>
          <UserBubble content={item.content} />
        </>
      );
    case "thought":
      return (
        <Folded
          name="thought"
          text={item.text}
          label={item.writing ? "Thinking…" : "Thought"}
        />
      );
    case "assistant":
      return <MarkdownText text={item.text} />;
    case "tool":
    case "running_tool":
    case "approval":
      return <ToolItem item={item} actions={actions} offline={offline} />;
    case "note":
      return <NoteLine note={item.note} />;
    case "pending":
      return (
        <PendingBubble
          pending={item.pending}
          actions={actions}
          offline={offline}
        />
      );
  }
}

function nameOf(item: Item): readonly [kind: string, id: string] {
  switch (item.type) {
    case "omitted":
      return ["omitted", ""];
    case "tool":
      return ["tool", item.call.id];
    case "running_tool":
      return [asked(item) ? "approval" : "running_tool", item.tool.call.id];
    case "approval":
      return ["approval", item.question.request.call.id];
    case "note":
      return ["note", item.key];
    case "pending":
      return ["pending", item.pending.id];
    default:
      return [item.type, item.id];
  }
}
