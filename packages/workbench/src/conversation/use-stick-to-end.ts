import { type RefObject, useLayoutEffect, useRef, useState } from "react";

/** Pixels from the end within which a reader is at the end. */
const nearPx = 48;
/** How long scrolling to an entry takes at most, in milliseconds. */
const settleMs = 200;

export interface StickToEnd {
  /** Entries that came while the reader was elsewhere. */
  readonly unseen: number;
  onScroll(): void;
  /** The reader goes elsewhere. */
  leave(): void;
  toEnd(): void;
}

/** Keeps the end in sight for a reader who is there, and moves nothing for one who reads further up. */
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
    setTimeout(onScroll, settleMs); // who goes to the last entry is at the end still
  };
  return { unseen, onScroll, leave, toEnd };
}
