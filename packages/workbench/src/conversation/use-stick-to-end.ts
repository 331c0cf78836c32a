import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** The maximum distance, in pixels, at which the reader is considered to be at the end. */
const nearPx = 48;
/** How long scrolling to an entry may take, in milliseconds. */
const settleMs = 200;

export interface StickToEnd {
  /** The number of entries that were added while the reader was elsewhere. */
  readonly unseen: number;
  onScroll(): void;
  /** Call it when the reader moves elsewhere. */
  leave(): void;
  toEnd(): void;
}

/** Keeps the end visible while the reader is at the end. Does not scroll if the reader is further up. */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, count: number): StickToEnd {
  const isAtEnd = useRef(true);
  const seen = useRef(count);
  const [unseen, setUnseen] = useState(0);
  const toEnd = () => {
    const { current } = scroller;
    if (current) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isAtEnd.current) {
      seen.current = count;
      toEnd();
    }
    setUnseen(Math.max(0, count - seen.current));
  });
  const onScroll = () => {
    const { current } = scroller;
    if (!current) return;
    isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < nearPx;
    if (!isAtEnd.current) return;
    seen.current = count;
    setUnseen(0);
  };
  const leave = () => {
    isAtEnd.current = false;
    setTimeout(onScroll, settleMs); // a reader who moves to the last entry is still at the end
  };
  return { unseen, onScroll, leave, toEnd };
}
