import type { ApprovalMode, Approvals } from "./approval.ts";
import type { Compactor } from "./compaction.ts";
import type { Model } from "./model.ts";
import type { Hooks } from "./plugin.ts";
import type { SessionRecord } from "./record.ts";
import type { ServedTools, ServeRequest } from "./server.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./tool.ts";

/** What a turn works with; the same for every turn of an agent unless it is set anew. */
export interface Kit {
  readonly tools: readonly Tool[];
  readonly hooks: readonly Hooks[];
  /** Starts a session's own tool servers. */
  serve(
    request: ServeRequest,
    signal: AbortSignal,
  ): Promise<readonly ServedTools[]>;
  readonly compactor: Compactor;
  /** Compact when this share of the window is used, keeping so many turns. */
  readonly compaction: { readonly at: number; readonly keepTurns: number };
  /** What names a conversation: its first question, or the model after the first turn. */
  readonly titles: "question" | "model";
  /** Model calls a turn may take. */
  readonly maxRounds: number;
  /** Identical calls in a row that are still run. */
  readonly maxRepeats: number;
  /** Today's system prompt for a session about `cwd`. */
  system(cwd: string): string;
  /** Told what a listener threw. */
  broken(error: unknown): void;
  readonly now: () => Date;
}

/** What a turn needs of its session. */
export interface TurnHost {
  readonly session: Session;
  readonly record: SessionRecord;
  readonly kit: Kit;
  readonly model: Model;
  readonly roots: readonly string[];
  readonly approvals: Approvals;
  /** Scopes allowed for the session, by tool. */
  readonly allowed: Map<string, Set<string>>;
  // What follows may change while the turn runs.
  /** The kit's tools, then those of the session's servers. */
  tools(): readonly Tool[];
  mode(): ApprovalMode;
  /** Facades that can answer an approval. */
  approvers(): number;
}

/** Today's system prompt, which governs whatever the record holds. */
export function systemPrompt({ kit, roots, record }: TurnHost): string {
  return kit.system(roots[0] ?? record.state.cwd);
}
