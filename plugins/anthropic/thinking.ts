import { listAt, textAt } from "../../core/json.ts";
import type { AssistantMessage } from "../../core/message.ts";

/** A content block of the Messages API. */
export type Block = Readonly<Record<string, unknown>>;

/** What `provider` holds: thinking blocks, signed for one model. */
export interface SignedThinking {
  readonly anthropic: string;
  readonly thinking: readonly Block[];
}

/** The message's thinking blocks, when `model` itself signed them. */
export function signedThinking(
  { provider }: AssistantMessage,
  model: string | undefined,
): readonly Block[] {
  if (model === undefined || textAt(provider, "anthropic") !== model) return [];
  return listAt(provider, "thinking") as readonly Block[];
}
