import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface WideTableProps {
  /** A description of the table for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/**
 * A table that scrolls horizontally if it is wider than its container. Only then can it get the focus, so that the user can scroll it with
 * keys.
 */
export function WideTable({ label, children }: WideTableProps) {
  const element = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => flushSync(() => setWide(current.scrollWidth > current.clientWidth)); // before the next paint
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
