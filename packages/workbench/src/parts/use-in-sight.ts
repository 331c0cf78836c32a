import { type RefObject, useEffect, useRef } from "react";

/** Scrolls a row of a list into view when the row is chosen. After that, only the user scrolls. */
export function useInSight<Row extends HTMLElement>(isChosen: boolean): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return row;
}
