import { type RefObject, useEffect, useRef } from "react";

/** For a row of a list: brings it into sight when it becomes the chosen one, and leaves it to the person from then on. */
export function useInSight<Row extends HTMLElement>(isChosen: boolean): RefObject<Row | null> {
  const row = useRef<Row>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: "nearest" });
  }, [isChosen]);
  return row;
}
