import { counted, formatCount } from "@bridle/protocol/text";
import { type ReactNode, useRef } from "react";
import { useCommands } from "../../keys/keyboard.tsx";
import type { ContextPlace } from "./use-place.ts";

interface ListWithDetailProps {
  readonly place: ContextPlace;
  /** The kind of the entries, such as `table`. */
  readonly noun: string;
  readonly total: number;
  readonly found: number;
  /** The content next to the filter. */
  readonly filters?: ReactNode;
  readonly children: ReactNode;
  readonly detail: ReactNode;
}

/** A list with a filter and the open entry. The entry is shown next to the list, or replaces it on narrow screens. */
export function ListWithDetail({ place, noun, total, found, filters, children, detail }: ListWithDetailProps) {
  const input = useRef<HTMLInputElement>(null);
  useCommands([{ id: "context-filter", title: `Filter the ${noun}s`, keys: "/", run: () => input.current?.focus() }]);
  const isOpen = place.open !== undefined;
  return (
    <div className={isOpen ? "context-columns with-detail" : "context-columns"}>
      <section className="context-list" aria-label={`List of ${noun}s`}>
        <div className="actions">
          <input
            ref={input}
            type="search"
            aria-label={`Filter the ${noun}s`}
            placeholder={`Filter the ${noun}s`}
            value={place.words}
            onChange={({ target }) => place.set({ q: target.value })}
          />
          {filters}
        </div>
        <p className="muted" role="status">
          {found === total ? "" : `${formatCount(found)} of `}
          {counted(total, noun)}
        </p>
        {children}
      </section>
      {isOpen && (
        <section className="context-detail" aria-label="What is open">
          <button type="button" className="quiet close-detail" onClick={() => place.set({ open: undefined })}>
            ← All {noun}s
          </button>
          {detail}
        </section>
      )}
    </div>
  );
}
