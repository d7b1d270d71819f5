import { promptContent } from "./content.ts";
import type { Desk } from "./desk.ts";
import { invalid } from "./fault.ts";
import { promptBlocks } from "./prompt_blocks.ts";

/** mm's own methods; the names are what `initialize` tells. */
export const EXTENSIONS: Readonly<Record<string, Extension>> = {
  /** What went wrong in a conversation, oldest first. */
  "_mm/errors": (desk, params) => {
    const { session } = desk.conversation(sessionId(params));
    return { errors: session.state.errors };
  },
  /** Says something while a turn runs, without cancelling it. */
  "_mm/steer": async (desk, params) => {
    const { session } = desk.conversation(sessionId(params));
    const blocks = promptBlocks(params.prompt);
    const content = promptContent(blocks, session.settings.model);
    await session.steer(content);
    return {};
  },
};

type Params = Readonly<Record<string, unknown>>;

type Extension = (desk: Desk, params: Params) => object | Promise<object>;

/** Any params, as the object they should be. */
export function extensionParams(params: unknown): Params {
  if (typeof params !== "object" || params === null) {
    throw invalid("params must be an object");
  }
  return params as Params;
}

function sessionId({ sessionId }: Params): string {
  if (typeof sessionId === "string") return sessionId;
  throw invalid("sessionId must be a string");
}
