import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface WideTableProps {
  /** A description of the table for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A table that scrolls sideways if it is wider than its place. Only then it takes the focus, to be scrolled by keys. */
export function WideTable({ label, children }: WideTableProps) {
  const element = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => flushSync(() => setWide(current.scrollWidth > current.clientWidth)); // before it is painted
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    for (const child of current.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <div className="table-scroll" role="group" aria-label={label} tabIndex={isWide ? 0 : undefined} ref={element}>
      {children}
    </div>
  );
}
