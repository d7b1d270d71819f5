import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Item } from "../client/items.ts";
import type { Note, Pending } from "../client/view.ts";
import { ApprovalCard, type Decide } from "./approval_card.tsx";
import { Folded } from "./folded.tsx";
import { MarkdownText } from "./markdown_text.tsx";
import { memo } from "./memo.ts";
import { isSaid } from "./said.ts";
import { clean } from "./text.ts";
import { ToolCard } from "./tool_card.tsx";
import { UserBubble } from "./user_bubble.tsx";

/** What an item may do. The same object for all of a page's life. */
export interface Actions {
  readonly decide: Decide;
  readonly again: (id: string) => void;
  readonly forget: (id: string) => void;
}

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

type ToolLike = Extract<
  Item,
  { readonly type: "tool" | "running_tool" | "approval" }
>;

// One component for a call's whole life: what was opened stays open.
function ToolItem(
  { item, actions, offline }: {
    readonly item: ToolLike;
    readonly actions: Actions;
    readonly offline: boolean;
  },
) {
  const request = asked(item);
  if (!request) return <Card item={item} />;
  const { decide } = actions;
  return (
    <ApprovalCard
      key={request.id}
      request={request}
      decide={decide}
      disabled={offline}
    />
  );
}

/** The question that is open on a call. */
function asked(item: ToolLike): ApprovalRequest | undefined {
  const question = item.type === "tool" ? undefined : item.question;
  return question?.decision ? undefined : question?.request;
}

const NONE: readonly never[] = [];

function Card({ item }: { readonly item: ToolLike }) {
  if (item.type === "tool") {
    const { call, result } = item;
    return (
      <ToolCard
        call={call}
        title={result.title ?? result.name}
        kind={result.kind ?? "other"}
        status={result.status}
        approval={result.approval}
        output={result.content}
        diffs={result.diffs ?? NONE}
        locations={result.locations ?? NONE}
      />
    );
  }
  const decision = item.question?.decision?.outcome;
  const approval = decision === undefined
    ? undefined
    : decision === "reject"
    ? "denied"
    : "allowed";
  if (item.type === "approval") {
    const { call, title, kind, diffs, locations } = item.question.request;
    return (
      <ToolCard
        {...{ call, title, kind, diffs, locations, approval }}
        status="waiting"
        output=""
      />
    );
  }
  return <ToolCard {...item.tool} approval={approval} />;
}

function NoteLine({ note }: { readonly note: Note }) {
  if (isSaid(note)) {
    return (
      <div class="said">
        <MarkdownText text={note.text} />
      </div>
    );
  }
  return (
    <p class={`note ${note.level}`} dir="auto">
      {note.level === "error" && <span class="visually-hidden">Error:</span>}
      {clean(note.text)}
    </p>
  );
}

function PendingBubble(
  { pending: { id, content, refused }, actions, offline }: {
    readonly pending: Pending;
    readonly actions: Actions;
    readonly offline: boolean;
  },
) {
  return (
    <>
      <UserBubble content={content} />
      {refused === undefined
        ? (
          <p class="sending">
            {offline ? "Sent when there is a connection" : "Sending…"}
          </p>
        )
        : (
          <p class="sending refused">
            <span>Not sent: {clean(refused)}</span>
            <button type="button" onClick={() => actions.again(id)}>
              Try again
            </button>
            <button type="button" onClick={() => actions.forget(id)}>
              Discard
            </button>
          </p>
        )}
    </>
  );
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
