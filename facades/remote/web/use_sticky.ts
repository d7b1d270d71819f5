/// <reference lib="dom" />
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

/** So near the end, in pixels, the reader is at it. */
const NEAR = 48;

/** A scroller that stays at its end unless the reader went up. */
export interface Sticky {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly content: RefObject<HTMLElement | null>;
  /** The reader is at the end. */
  readonly atEnd: boolean;
  readonly toEnd: () => void;
}

/** Keeps the end in sight while `content` grows; `about` is what it shows: another starts at its end. */
export function useSticky(about: string): Sticky {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLElement>(null);
  const stuck = useRef(true);
  const top = useRef(0); // where it was when that was last looked at
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = () => {
    const box = scroller.current;
    stuck.current = true;
    setAtEnd(true);
    box?.scrollTo({ top: box.scrollHeight, behavior: "instant" });
    top.current = box?.scrollTop ?? 0;
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    const follow = () => {
      if (stuck.current) box.scrollTop = box.scrollHeight;
      top.current = box.scrollTop;
    };
    const scrolled = () => {
      const end = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      const wentUp = box.scrollTop < top.current;
      top.current = box.scrollTop;
      // What grew has yet to be followed: only a reader goes up.
      if (!end && stuck.current && !wentUp) return;
      stuck.current = end;
      setAtEnd(end);
    };
    const observer = new ResizeObserver(follow);
    observer.observe(inner);
    observer.observe(box);
    box.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", scrolled);
    };
  }, []);
  useLayoutEffect(toEnd, [about]);
  return { scroller, content, atEnd, toEnd };
}
