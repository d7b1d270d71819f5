import type { ApprovalRequest, Decision } from "../../../core/approval.ts";
import type { Update } from "../../../core/event.ts";
import { ApprovalPrompt } from "./approval_prompt.ts";
import { KeyGuard, type Owner } from "./key_guard.ts";
import type { Screen } from "./screen.ts";

/** The approvals that wait for a key, one after the other. */
export class ApprovalQueue {
  readonly #screen: Screen;
  readonly #decide: (id: string, decision: Decision) => void;
  #requests: readonly ApprovalRequest[] = [];
  #prompt: { request: ApprovalRequest; view: ApprovalPrompt } | undefined;
  #paused = false;
  readonly #guard = new KeyGuard();

  constructor(
    screen: Screen,
    to: { readonly decide: (id: string, decision: Decision) => void },
  ) {
    this.#screen = screen;
    this.#decide = to.decide;
  }

  /** What hears the keys instead of the editor. */
  get prompting(): "approval" | "reason" | "browser" | undefined {
    if (this.#paused) return "browser";
    if (!this.#prompt) return undefined;
    return this.#prompt.view.typing ? "reason" : "approval";
  }

  /** A key was pressed: whose it is. */
  pressed(): Owner {
    if (this.#paused || !this.#prompt) this.#guard.free();
    return this.#guard.key();
  }

  update(update: Update & { type: "approval_asked" | "approval_settled" }) {
    this.#requests = update.type === "approval_asked"
      ? [...this.#requests, update.request]
      : this.#requests.filter(({ id }) => id !== update.requestId);
    this.#show();
  }

  /** Another session is shown. */
  reset(requests: readonly ApprovalRequest[]): void {
    this.#requests = requests;
    this.#show();
  }

  /** Something else takes the place of the prompt. */
  pause(): void {
    this.#paused = true;
    this.#prompt = undefined;
  }

  /** Its place is free again. */
  resume(): void {
    this.#paused = false;
    this.#screen.showEditor();
    this.#show();
  }

  #show(): void {
    const [request, ...more] = this.#requests;
    this.#screen.spinner.waitsFor = request && "Waiting for your answer";
    if (this.#paused) return;
    if (!request) {
      if (this.#prompt) this.#screen.showEditor();
      this.#prompt = undefined;
      return;
    }
    if (this.#prompt?.request !== request) this.#open(request);
    if (this.#prompt) this.#prompt.view.more = more.length;
  }

  #open(request: ApprovalRequest): void {
    const view = new ApprovalPrompt(
      request,
      this.#screen.theme,
      (decision) => this.#decide(request.id, decision),
    );
    this.#prompt = { request, view };
    this.#guard.appear(this.#screen.editor.getText() !== "");
    this.#screen.show(view);
  }
}
