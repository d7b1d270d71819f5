import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ComponentChildren } from "preact";
import type { Item } from "../client/items.ts";
import { Icon } from "./icon.tsx";
import type { Actions } from "./actions.ts";
import { ItemView } from "./item_view.tsx";
import { count } from "./text.ts";
import { useSticky } from "./use_sticky.ts";

/** Items that are drawn at first, and added by each "show earlier". */
const STEP = 200;

/** The conversation: its newest items, and the way to the earlier ones. */
export function Conversation(
  { session, sent, items, actions, offline, children }: {
    readonly session: string;
    /** Another number: something was sent, and the end is to be seen. */
    readonly sent: number;
    readonly items: readonly Item[];
    readonly actions: Actions;
    readonly offline: boolean;
    /** What stands below the items. */
    readonly children: ComponentChildren;
  },
) {
  const { scroller, content, atEnd, toEnd } = useSticky(`${session} ${sent}`);
  const { first, hidden, more } = useWindow(session, items.length, scroller);
  return (
    <main
      id="conversation"
      class="conversation"
      tabIndex={-1}
      aria-label="Conversation"
      ref={scroller}
    >
      <div class="column" ref={content as { current: HTMLDivElement | null }}>
        {hidden > 0 && (
          <button type="button" class="earlier" onClick={more}>
            Show {count(Math.min(hidden, STEP), "earlier item")}
          </button>
        )}
        <ol class="items" role="list">
          {items.slice(first).map((item) => (
            <ItemView
              key={item.key}
              item={item}
              actions={actions}
              offline={offline}
            />
          ))}
        </ol>
        {children}
      </div>
      {!atEnd && (
        <button type="button" class="jump" onClick={toEnd}>
          <Icon name="down" /> Jump to latest
        </button>
      )}
    </main>
  );
}

// What is drawn grows at the end by itself and at the beginning on demand.
function useWindow(
  session: string,
  length: number,
  scroller: { current: HTMLElement | null },
) {
  const [shown, setShown] = useState({ session, extra: 0 });
  const extra = shown.session === session ? shown.extra : 0;
  const first = Math.max(0, length - STEP - extra);
  const kept = useRef<{ element: Element; top: number } | null>(null);
  const more = () => {
    const element = scroller.current?.querySelector(".item");
    if (element) {
      kept.current = { element, top: element.getBoundingClientRect().top };
    }
    setShown({ session, extra: extra + STEP });
  };
  useLayoutEffect(() => {
    if (!kept.current || !scroller.current) return;
    const { element, top } = kept.current;
    kept.current = null;
    scroller.current.scrollTop += element.getBoundingClientRect().top - top;
  }, [extra]);
  return { first, hidden: first, more };
}
