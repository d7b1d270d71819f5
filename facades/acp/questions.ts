import type { ApprovalRequest } from "../../core/approval.ts";
import type { Session } from "../../core/session.ts";
import type { Peer } from "./peer.ts";
import { askPermission } from "./permission.ts";

/** Whose questions they are, and when one may be asked. */
export interface QuestionsInit {
  readonly id: string;
  readonly session: Session;
  readonly peer: Peer;
  readonly ready: () => Promise<void>;
}

/** The approvals of one session that the user is asked for. */
export class Questions {
  readonly #init: QuestionsInit;
  readonly #open = new Map<string, AbortController>();

  constructor(init: QuestionsInit) {
    this.#init = init;
  }

  /** Asks; again when it was asked before. */
  ask(request: ApprovalRequest): void {
    this.withdraw(request.id);
    const question = new AbortController();
    this.#open.set(request.id, question);
    void this.#decide(request, question.signal);
  }

  /** Takes a question back: it is settled elsewhere, or asked anew. */
  withdraw(requestId: string): void {
    this.#open.get(requestId)?.abort();
    this.#open.delete(requestId);
  }

  withdrawAll(): void {
    for (const id of [...this.#open.keys()]) this.withdraw(id);
  }

  async #decide(request: ApprovalRequest, signal: AbortSignal): Promise<void> {
    const { id, session, peer, ready } = this.#init;
    await ready();
    if (signal.aborted) return;
    const decision = await askPermission(peer, id, request, signal);
    if (!signal.aborted) session.decide(request.id, decision);
  }
}
