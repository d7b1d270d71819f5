import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "./icon.tsx";

/** A dialog that comes in from the side; the browser keeps the focus in it. */
export function Drawer({ label, close, children }: {
  readonly label: string;
  readonly close: () => void;
  readonly children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      class="drawer"
      aria-label={label}
      onClose={close}
      onKeyDown={(event) => {
        // It closes the dialog and stops no turn.
        if (event.key === "Escape") event.stopPropagation();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close(); // beside it
      }}
    >
      <div class="drawer-inner">
        <div class="drawer-bar">
          <h2>{label}</h2>
          <button
            type="button"
            class="plain"
            aria-label="Close"
            onClick={close}
          >
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
