import { promptContent } from "./content.ts";
import { type Method, method } from "./method.ts";
import { OfSession, Prompt } from "./params.ts";

/** mm's own methods; the names are what `initialize` tells. */
export const EXTENSIONS: Readonly<Record<string, Method>> = {
  /** What went wrong in a conversation, oldest first. */
  "_mm/errors": method(OfSession, (desk, { sessionId }) => {
    const { session } = desk.conversation(sessionId);
    return { errors: session.state.errors };
  }),
  /** Says something while a turn runs, without cancelling it. */
  "_mm/steer": method(Prompt, async (desk, { sessionId, prompt }) => {
    const { session } = desk.conversation(sessionId);
    await session.steer(promptContent(prompt, session.settings.model));
    return {};
  }),
};
