import { type RefObject, useEffect, useRef } from "react";

/** For a row of a list: scrolls it into view when it becomes the chosen row. After that, only the user scrolls. */
export function useInSight<Row extends HTMLElement>(isChosen: boolean): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return row;
}
