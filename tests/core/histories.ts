import fc from "fast-check";
import type { EventDraft } from "../../core/event.ts";
import { ModelError } from "../../core/error.ts";
import type { ModelReply } from "../../core/model.ts";
import type { Step } from "../scripted_model.ts";

/** What a random conversation does next. */
export type Move =
  | { readonly type: "prompt"; readonly steps: readonly Say[] }
  | { readonly type: "compact" }
  | { readonly type: "rename" };

/** What the model does next in a turn; `steer` and `cancel` happen while it does. */
export interface Say {
  readonly calls: number;
  readonly text: string;
  readonly also: "nothing" | "steer" | "cancel" | "fail" | "overflow";
}

const say: fc.Arbitrary<Say> = fc.record({
  calls: fc.integer({ min: 0, max: 3 }),
  text: fc.constantFrom("yes", "one two three"),
  also: fc.constantFrom(
    "nothing",
    "nothing",
    "steer",
    "cancel",
    "fail",
    "overflow",
  ),
});

/** Conversations of a few turns, with everything that can happen in one. */
export const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant("prompt" as const),
        steps: fc.array(say, { maxLength: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ type: "compact" } as const) },
    { weight: 1, arbitrary: fc.constant({ type: "rename" } as const) },
  ),
  { minLength: 1, maxLength: 6 },
);

/** `move` as script steps; `reused` call ids are as careless as some servers' are. */
export function steps(
  move: Move,
  act: { steer(): Promise<void>; cancel(): void },
): Step[] {
  switch (move.type) {
    case "rename":
      return [];
    case "compact":
      return ["a summary"];
    case "prompt":
      return [...move.steps.map((s) => step(s, act)), "the end", "the end"];
  }
}

function step(
  { calls, text, also }: Say,
  act: { steer(): Promise<void>; cancel(): void },
): Step {
  const reply: Partial<ModelReply> = {
    content: text,
    toolCalls: Array.from({ length: calls }, (_, i) => ({
      id: `call_${i}`,
      name: "look",
      arguments: { text: String(i) },
    })),
  };
  return async () => {
    if (also === "steer") await act.steer();
    if (also === "cancel") act.cancel();
    if (also === "fail") return new Error("down");
    if (also === "overflow") return new ModelError("overflow", "too long");
    return reply;
  };
}

/** A draft of each kind of message, for histories that no agent would write. */
export const drafts: fc.Arbitrary<readonly EventDraft[]> = fc.array(
  fc.oneof(
    fc.string().map((content) => user(content)),
    fc.record({
      ids: fc.array(fc.nat(), { maxLength: 3 }),
      saw: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
    }).map(({ ids, saw }) => assistant(ids, saw)),
    fc.nat({ max: 12 }).map((id) => result(`c${id}`)),
  ),
  { maxLength: 20 },
);

let n = 0;

function user(content: string): EventDraft {
  const id = `u${++n}`;
  return { type: "message", message: { role: "user", id, content } };
}

function assistant(ids: readonly number[], saw?: number): EventDraft {
  const id = `a${++n}`;
  return {
    type: "message",
    message: {
      role: "assistant",
      id,
      content: "said",
      toolCalls: ids.map((_, i) => ({
        id: `${id}-${i}`,
        name: "look",
        arguments: {},
      })),
      ...(saw !== undefined && { saw }),
    },
  };
}

function result(toolCallId: string): EventDraft {
  return {
    type: "message",
    message: {
      role: "tool",
      id: `t${++n}`,
      toolCallId,
      name: "look",
      content: "did",
      status: "completed",
      approval: "auto",
    },
  };
}
