import { useId, useLayoutEffect, useRef } from "preact/hooks";

/** Asks before something that cannot be undone. Esc, or a press beside it, is no. */
export function Confirm({ title, text, action, yes, close }: {
  readonly title: string;
  readonly text: string;
  /** What the button that does it says. */
  readonly action: string;
  readonly yes: () => void;
  readonly close: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="confirm"
      aria-labelledby={name}
      onClose={close}
      onKeyDown={(event) => {
        // It closes this dialog, not the list behind it, and stops no turn.
        if (event.key === "Escape") event.stopPropagation();
      }}
      onClick={(event) => {
        event.stopPropagation();
        if (event.target === dialog.current) close(); // beside it
      }}
    >
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          yes();
        }}
      >
        <h2 id={name} dir="auto">{title}</h2>
        <p>{text}</p>
        <div class="choices">
          <button type="button" autofocus onClick={close}>Cancel</button>
          <button type="submit" class="danger">{action}</button>
        </div>
      </form>
    </dialog>
  );
}
