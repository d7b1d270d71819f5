import type {
  FileDiff,
  ToolCall,
  ToolKind,
  ToolMessage,
} from "../../../core/message.ts";

/** One thing on the screen. A block that is done never changes again. */
export type Block =
  & { done: boolean; revision: number }
  & (
    | { readonly type: "user"; readonly text: string }
    | Answer
    | { readonly type: "thought"; text: string }
    | Card
    | { readonly type: "said"; readonly text: string }
    | { readonly type: "error"; readonly text: string }
    | {
      readonly type: "note";
      readonly text: string;
      readonly warning: boolean;
    }
    | { readonly type: "summary"; readonly text: string }
  );

/** A piece of an answer: a paragraph, a list, a block of code. */
export interface Answer {
  readonly type: "answer";
  text: string;
  /** Goes on where a piece that grew too long was cut: no empty line between. */
  readonly tight: boolean;
}

/** A tool call, from its start to its result. */
export interface Card {
  readonly type: "tool";
  readonly call: ToolCall;
  title: string;
  kind: ToolKind;
  diffs: readonly FileDiff[];
  status: "waiting" | "running" | ToolMessage["status"];
  /** The end of what it printed, while it runs; then its result. */
  output: string;
  denied: boolean;
}

/** A block as it is at first. */
export type NewBlock = Block extends infer B
  ? B extends Block ? Omit<B, "revision" | "done"> : never
  : never;
