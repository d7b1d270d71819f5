import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ApprovalRequest, Decision } from "../../../core/approval.ts";
import { Diffs } from "./diffs.tsx";
import { Icon } from "./icon.tsx";
import { memo } from "./memo.ts";
import { reveal } from "./text.ts";
import { Input } from "./tool_card.tsx";

/** Sends an answer; resolves once the server has it. */
export type Decide = (
  request: ApprovalRequest,
  decision: Answer,
) => Promise<void>;

/** What a person can answer. */
export interface Answer {
  readonly outcome: Exclude<Decision["outcome"], "cancelled">;
  readonly reason?: string;
}

/** A question: may this run? */
export const ApprovalCard = memo((
  { request, decide, disabled }: {
    readonly request: ApprovalRequest;
    readonly decide: Decide;
    /** There is no connection to answer by. */
    readonly disabled: boolean;
  },
) => {
  const heading = useId();
  const card = useFocusKeeper();
  const title = reveal(request.title).replaceAll(/\s+/g, " ");
  return (
    <section
      class="card approval"
      aria-labelledby={heading}
      tabIndex={-1}
      ref={card}
    >
      <h2 id={heading} class="approval-title">
        <Icon name="shield" />
        <span>
          Allow: <bdi>{title}</bdi>
        </span>
      </h2>
      <p class="quiet">{reveal(request.reason)}</p>
      {request.diffs.length > 0
        ? <Diffs diffs={request.diffs} />
        : <Input call={request.call} title={request.title} />}
      <Choices request={request} decide={decide} disabled={disabled} />
    </section>
  );
});

function Choices({ request, decide, disabled }: {
  readonly request: ApprovalRequest;
  readonly decide: Decide;
  readonly disabled: boolean;
}) {
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  const [sent, setSent] = useState(false);
  const off = disabled || sent;
  const answer = (decision: Answer) => {
    // The button is off from now on, and would take the focus with it.
    const { activeElement } = document;
    activeElement?.closest<HTMLElement>(".approval")?.focus();
    setSent(true);
    decide(request, decision).catch(() => setSent(false)); // told by `decide`
  };
  const deny = () =>
    answer({
      outcome: "reject",
      ...reason.trim() && { reason: reason.trim() },
    });
  if (asking) {
    return (
      <form
        class="choices reason"
        onSubmit={(event) => {
          event.preventDefault();
          deny();
        }}
      >
        <label>
          Why not? The model reads it; it may stay empty
          <input
            value={reason}
            autocomplete="off"
            ref={focusOnce}
            onInput={(event) => setReason(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== "Escape") return;
              event.stopPropagation(); // it is not the turn that is stopped
              setAsking(false);
            }}
          />
        </label>
        <button type="submit" class="danger" disabled={off}>Deny</button>
        <button type="button" onClick={() => setAsking(false)}>Back</button>
      </form>
    );
  }
  return (
    <div class="choices">
      <button
        type="button"
        class="primary"
        disabled={off}
        onClick={() => answer({ outcome: "allow_once" })}
      >
        Allow once
      </button>
      {request.scope !== undefined && (
        <button
          type="button"
          disabled={off}
          onClick={() => answer({ outcome: "allow_always" })}
        >
          Always in this session: <bdi>{reveal(request.scope)}</bdi>
        </button>
      )}
      <button
        type="button"
        class="danger"
        disabled={off}
        onClick={() => setAsking(true)}
      >
        Deny…
      </button>
    </div>
  );
}

// When the card goes, whoever was in it goes on where questions are written.
function useFocusKeeper() {
  const card = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    return () => {
      if (!element?.contains(document.activeElement)) return;
      document.getElementById("message")?.focus();
    };
  }, []);
  return card;
}

function focusOnce(input: HTMLInputElement | null): void {
  if (input && !input.dataset.focused) {
    input.dataset.focused = "yes";
    input.focus();
  }
}
