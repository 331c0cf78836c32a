import { type RefObject, useRef } from "react";
import type { SessionEntry, ShownTranscript } from "../../connection/session-entries.ts";
import { useCommands } from "../../keys/keyboard.tsx";
import { findOpened } from "./opened.ts";
import { type Opened, useOpened } from "./use-opened.ts";

export interface InspectorState {
  readonly isOpen: boolean;
  readonly opened: Opened;
  /** The index of the open entry. -1 if none is open. */
  readonly index: number;
  readonly entry: SessionEntry | undefined;
  readonly heading: RefObject<HTMLHeadingElement | null>;
  /** Opens the inspector for an entry, or moves the focus into the inspector if it already shows the entry. */
  inspect(seq: number): void;
  /** Shows another entry if the inspector is open. */
  follow(seq: number): void;
  close(): void;
}

/**
 * Manages the inspector of a conversation. The focus stays in the list until the user moves it into the inspector, and returns to the row
 * afterwards.
 */
export function useInspector(
  page: RefObject<HTMLElement | null>,
  transcript: ShownTranscript | undefined,
): InspectorState {
  const opened = useOpened();
  const heading = useRef<HTMLHeadingElement>(null);
  const index = findOpened(transcript?.entries ?? [], opened.seq);
  const entry = transcript?.entries[index];
  const isOpen = opened.seq !== undefined;
  const close = () => {
    const row = page.current?.querySelector<HTMLElement>(`.entry[data-seq="${entry?.seq}"]`);
    const isInside = heading.current?.parentElement?.parentElement?.contains(document.activeElement);
    opened.close();
    if (isInside) row?.focus({ preventScroll: true });
  };
  useCommands(
    isOpen ? [{ id: "inspector-close", title: "Close the inspector", keys: "Escape", isGlobal: true, run: close }] : [],
  );
  return {
    isOpen,
    opened,
    index,
    entry,
    heading,
    close,
    inspect: (seq) => (entry?.seq === seq ? heading.current?.focus() : opened.open(seq)),
    follow: (seq) => isOpen && opened.open(seq),
  };
}
