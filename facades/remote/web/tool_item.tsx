import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Item } from "../client/items.ts";
import type { Actions } from "./actions.ts";
import { ApprovalCard } from "./approval_card.tsx";
import { ToolCard } from "./tool_card.tsx";

/** A call, running or ended. */
type ToolLike = Extract<
  Item,
  { readonly type: "tool" | "running_tool" | "approval" }
>;

/** A call: the question about it while that is open, else its card. */
export function ToolItem(
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
export function asked(item: ToolLike): ApprovalRequest | undefined {
  const question = item.type === "tool" ? undefined : item.question;
  return question?.decision ? undefined : question?.request;
}

// A question that was cancelled is no refusal.
const APPROVALS = {
  allow_once: "allowed",
  allow_always: "allowed",
  reject: "denied",
  cancelled: undefined,
} as const;

const NONE: readonly never[] = [];

// One component for the whole life of a call: what was opened stays open.
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
  const outcome = item.question?.decision?.outcome;
  const approval = outcome && APPROVALS[outcome];
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
