import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";

interface ScrollingTextProps {
  readonly className: string;
  /** A description of the text for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A text that scrolls if it is higher than its container. Only then can it get the focus, so that the user can scroll it with keys. */
export function ScrollingText({ className, label, children }: ScrollingTextProps) {
  const element = useRef<HTMLPreElement>(null);
  const [isHigh, setHigh] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => flushSync(() => setHigh(current.scrollHeight > current.clientHeight)); // before the next paint
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form
    <pre className={className} role="group" aria-label={label} tabIndex={isHigh ? 0 : undefined} ref={element}>
      {children}
    </pre>
  );
}
