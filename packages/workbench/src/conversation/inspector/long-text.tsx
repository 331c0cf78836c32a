import { counted, showHiddenInDocument } from "@bridle/protocol/text";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { Copyable } from "../../parts/copyable.tsx";
import { formatJson } from "../../text/format-json.ts";
import { splitText } from "./split-text.ts";

/** The maximum number of characters that are rendered as one element. */
const maxAtOnce = 20_000;
/** The maximum number of characters of JSON that is formatted. */
const maxFormatted = 2_000_000;

interface LongTextProps {
  readonly title: string;
  readonly text: string;
}

/** A whole text of any length. If it is long, only the visible part is rendered. */
export function LongText({ title, text }: LongTextProps) {
  const [isFormatted, setFormatted] = useState(true);
  const formatted = useMemo(() => (mayBeJson(text) ? formatJson(text) : text), [text]);
  const canFormat = formatted !== text;
  const shown = isFormatted ? formatted : text;
  return (
    <section className="long-text" aria-label={title}>
      <header>
        <h3>{title}</h3>
        <span className="muted">{counted(text.length, "character")}</span>
        {canFormat && (
          <button type="button" className="quiet" aria-pressed={isFormatted} onClick={() => setFormatted(!isFormatted)}>
            {isFormatted ? "As sent" : "Formatted"}
          </button>
        )}
        <Copyable text={text} label={title}>
          Copy
        </Copyable>
      </header>
      {shown === "" ? (
        <p className="muted">Empty</p>
      ) : shown.length <= maxAtOnce ? (
        <pre dir="auto">{showHiddenInDocument(shown)}</pre>
      ) : (
        <WindowedText title={title} text={shown} />
      )}
    </section>
  );
}

function mayBeJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && text.length <= maxFormatted;
}

/** Returns the width of a character and the height of a line of code, in pixels. */
const [characterPx, linePx] = [7.8, 19.5];

function estimateHeight(piece: string, width: number): number {
  const max = Math.max(20, Math.floor(width / characterPx));
  return piece.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / max)) * linePx, 0);
}

function WindowedText({ title, text }: LongTextProps) {
  const scroller = useRef<HTMLElement>(null);
  const pieces = useMemo(() => splitText(text), [text]);
  const list = useVirtualizer({
    count: pieces.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => estimateHeight(pieces[index] ?? "", scroller.current?.clientWidth ?? 400),
    overscan: 1,
  });
  return (
    <section
      ref={scroller}
      className="windowed-text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
      tabIndex={0}
      aria-label={`${title}, all of it`}
    >
      <div className="windowed-all" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, key, start }) => (
          <pre key={key} ref={list.measureElement} data-index={index} style={{ transform: `translateY(${start}px)` }}>
            {showHiddenInDocument(pieces[index] ?? "")}
          </pre>
        ))}
      </div>
    </section>
  );
}
