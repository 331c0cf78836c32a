import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { ShownTranscript } from "../connection/session-entries.ts";
import { EntryRow } from "./entry-row.tsx";
import type { InspectorState } from "./inspector/use-inspector.ts";
import { ListEnd } from "./list-end.tsx";
import { isAbandoned, isUnfinished } from "./run-state.ts";
import { Search, useSearch } from "./search.tsx";
import { parallelOf, turnHeadOf } from "./steps.ts";
import { TurnHead } from "./turn-head.tsx";
import { useOpenEntries } from "./use-open-entries.ts";
import { useRows } from "./use-rows.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import type { QueuedPrompt } from "./writing/queue-storage.ts";

interface EntryListProps {
  readonly session: string;
  readonly transcript: ShownTranscript;
  readonly isBusy: boolean;
  readonly isAsked: boolean;
  readonly inspector: InspectorState;
  readonly queued: readonly QueuedPrompt[];
  readonly sentId: string | undefined;
  readonly refusedId: string | undefined;
  onWithdraw(id: string): void;
}

/** The entries of a session. Only entries near the viewport are rendered, so that a long session is as fast as a short one. */
export function EntryList({
  session,
  transcript,
  isBusy,
  isAsked,
  inspector,
  queued,
  sentId,
  refusedId,
  onWithdraw,
}: EntryListProps) {
  const { entries } = transcript;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useEntryVirtualizer(transcript, scroller);
  const stick = useStickToEnd(scroller, entries.length + queued.length);
  const [open, setOpen] = useOpenEntries();
  const show = (index: number) => {
    stick.leave();
    list.scrollToIndex(index, { align: "center" });
  };
  const search = useSearch(entries, show);
  const rows = useRows(entries, {
    first: () => list.range?.endIndex ?? entries.length - 1,
    show,
    toggle: ({ seq }) => setOpen(seq, !open.has(seq)),
    inspect: ({ seq }) => inspector.inspect(seq),
    onChoose: ({ seq }) => inspector.follow(seq),
  });
  useFirstShown(inspector.index, rows.choose);
  return (
    <div className="entries-place">
      <Search search={search} />
      <div
        className="entries"
        ref={scroller}
        onScroll={stick.onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
        tabIndex={0}
        role="log"
        aria-label="Conversation"
        aria-live="off"
      >
        <TurnHead head={turnHeadOf(entries, list.range?.startIndex ?? -1)} onShow={rows.choose} />
        <div className="entries-all" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, key, start }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            return (
              <EntryRow
                key={key}
                session={session}
                entry={entry}
                index={index}
                start={start}
                parallel={parallelOf(entries, index)}
                isMarked={search.current === index || rows.chosen === index}
                isInspected={inspector.index === index}
                isUnfinished={isUnfinished(transcript, entry) || isAbandoned(transcript, entry)}
                isOpen={open.has(entry.seq)}
                onElement={(element) => {
                  list.measureElement(element);
                  if (rows.chosen === index) rows.focus(element);
                }}
                onOpen={(isOpen) => setOpen(entry.seq, isOpen)}
                onInspect={() => inspector.inspect(entry.seq)}
              />
            );
          })}
        </div>
        <ListEnd
          transcript={transcript}
          isBusy={isBusy}
          isAsked={isAsked}
          queued={queued}
          sentId={sentId}
          refusedId={refusedId}
          onWithdraw={onWithdraw}
        />
      </div>
      {stick.unseen > 0 && (
        <button type="button" className="to-end" onClick={stick.toEnd}>
          {stick.unseen} new ↓
        </button>
      )}
    </div>
  );
}

/** Scrolls once to the entry in the URL. */
function useFirstShown(index: number, choose: (index: number) => void): void {
  const first = useRef(index);
  const go = useRef(choose);
  useEffect(() => {
    if (first.current >= 0) go.current(first.current);
  }, []);
}

function useEntryVirtualizer({ entries }: ShownTranscript, scroller: { readonly current: HTMLDivElement | null }) {
  return useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (entries[index]?.kind === "tool" ? 24 : 96),
    overscan: 8,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
}
