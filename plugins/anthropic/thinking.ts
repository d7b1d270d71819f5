import { listAt, textAt } from "../../core/http/json.ts";
import type { AssistantMessage } from "../../core/message.ts";
import type { Block } from "./request.ts";

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
