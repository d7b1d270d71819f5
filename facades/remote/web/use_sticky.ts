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
  const [atEnd, setAtEnd] = useState(true);

  const toEnd = () => {
    const box = scroller.current;
    stuck.current = true;
    setAtEnd(true);
    box?.scrollTo({ top: box.scrollHeight, behavior: "instant" });
  };
  useLayoutEffect(() => {
    const box = scroller.current;
    const inner = content.current;
    if (!box || !inner) return;
    let height = box.scrollHeight;
    const follow = () => {
      height = box.scrollHeight;
      if (stuck.current) box.scrollTop = height;
    };
    const scrolled = () => {
      const end = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR;
      // What grew has yet to be followed: that is no scrolling of the reader.
      if (!end && box.scrollHeight !== height) return;
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
