import type { Update } from "../../../core/event.ts";
import type { Message } from "../../../core/message.ts";

/**
 * An update as clients get it; undefined when it is not for them: the system
 * prompt, and what a message of its own tells (`moved`, a new record).
 */
export function wireEvent(update: Update): Update | undefined {
  switch (update.type) {
    case "moved":
    case "rotated":
    case "restored":
      return undefined;
    case "message": {
      const message = wireMessage(update.message);
      return message && { ...update, message };
    }
    default:
      return update;
  }
}

/** A message as clients get it; undefined for the system prompt. */
export function wireMessage<M extends Message>(message: M): M | undefined {
  switch (message.role) {
    case "system":
      return message.summary ? message : undefined;
    case "assistant": {
      // The model plugin's own: it may be long, and only the server asks models.
      const { provider: _, ...rest } = message;
      return rest as M;
    }
    default:
      return message;
  }
}

/** Whether an update belongs to the record, or is told once and kept nowhere. */
export function lasts(update: Update): boolean {
  return "seq" in update || update.type === "approval_asked" ||
    update.type === "approval_settled";
}
