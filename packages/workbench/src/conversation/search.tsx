import { useEffect, useMemo, useRef, useState } from "react";
import type { SessionEntry } from "../connection/session-entries.ts";
import { useCommands } from "../keys/keyboard.tsx";
import { findEntries } from "./find-entries.ts";

export interface SearchState {
  readonly isOpen: boolean;
  readonly query: string;
  readonly found: readonly number[];
  /** The index of the entry that is shown. */
  readonly current: number | undefined;
  readonly position: number;
  setQuery(query: string): void;
  move(by: 1 | -1): void;
  close(): void;
}

/** Returns the search within a session. */
export function useSearch(entries: readonly SessionEntry[], show: (index: number) => void): SearchState {
  const [query, setQuery] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [position, setPosition] = useState(0);
  const found = useMemo(() => (isOpen ? findEntries(entries, query) : []), [isOpen, entries, query]);
  useCommands([{ id: "search", title: "Search in this session", keys: "/", run: () => setOpen(true) }]);
  const current = found[position];
  const shown = useRef(show);
  shown.current = show;
  useEffect(() => {
    if (current !== undefined) shown.current(current);
  }, [current]);
  return {
    isOpen,
    query,
    found,
    position,
    current,
    setQuery(next) {
      setQuery(next);
      setPosition(0);
    },
    move: (by) => found.length > 0 && setPosition((position + by + found.length) % found.length),
    close: () => setOpen(false),
  };
}

export function Search({ search }: { search: SearchState }) {
  if (!search.isOpen) return null;
  const { query, found, position } = search;
  return (
    <search className="search">
      <input
        // biome-ignore lint/a11y/noAutofocus: the user has just opened this field
        autoFocus
        type="search"
        aria-label="Search in this session"
        value={query}
        onChange={(event) => search.setQuery(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") search.move(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") search.close();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <span role="status" className="muted">
        {query === "" ? "" : found.length === 0 ? "not found" : `${position + 1} of ${found.length}`}
      </span>
      <button type="button" className="quiet" onClick={search.close}>
        Close
      </button>
    </search>
  );
}
