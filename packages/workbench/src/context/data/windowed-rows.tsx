import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useCommands } from "../../keys/keyboard.tsx";
import type { ContextPlace } from "./use-place.ts";

interface WindowedRowsProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly place: ContextPlace;
  keyOf(row: Row): string;
  children(row: Row): ReactNode;
}

const scroller = () => document.getElementById("main");

/** A list of any length. Only the rows near the viewport are rendered. The open row is shown next to the list, or in its place. */
export function WindowedRows<Row>({ label, rows, place, keyOf, children }: WindowedRowsProps<Row>) {
  const list = useRef<HTMLUListElement>(null);
  const margin = useTopOf(list);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: scroller,
    estimateSize: () => 56,
    overscan: 8,
    scrollMargin: margin,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : keyOf(row);
    },
  });
  const at = place.open === undefined ? -1 : rows.findIndex((row) => keyOf(row) === place.open);
  const shown = useRef(-1);
  useEffect(() => {
    if (at === shown.current || margin === 0) return; // the position of the list is unknown before it is measured
    shown.current = at;
    if (at >= 0) virtual.scrollToIndex(at, { align: "auto" });
  }, [at, margin, virtual]);
  const openAt = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row !== undefined) place.set({ open: keyOf(row) });
  };
  useCommands([
    { id: "context-next", title: "Open the next entry", keys: "j", run: () => openAt(at + 1) },
    { id: "context-previous", title: "Open the previous entry", keys: "k", run: () => openAt(at - 1) },
    { id: "context-close", title: "Close the entry", keys: "o", run: () => place.set({ open: undefined }) },
  ]);
  return (
    <ul className="windowed" ref={list} aria-label={label} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-posinset={index + 1}
            aria-setsize={rows.length}
            className="windowed-row"
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            <button
              type="button"
              className="quiet row-button"
              aria-current={index === at}
              onClick={() => place.set({ open: keyOf(row) })}
            >
              {children(row)}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Returns the top of an element within the scroll container. Measured again when the page is resized. */
function useTopOf(element: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const main = scroller();
    const { current } = element;
    if (main === null || current === null) return;
    const measure = () =>
      setTop(Math.round(current.getBoundingClientRect().top - main.getBoundingClientRect().top + main.scrollTop));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(main);
    if (current.parentElement !== null) observer.observe(current.parentElement);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
