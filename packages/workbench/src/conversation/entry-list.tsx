import type { SessionTranscript } from "@bridle/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { Announcement } from "./announcement.tsx";
import { EntryView } from "./entry-view.tsx";
import { ListEnd } from "./list-end.tsx";
import { isUnfinished } from "./run-state.ts";
import { Search, useSearch } from "./search.tsx";
import { isParallel, turnHeadOf } from "./steps.ts";
import { TurnHead } from "./turn-head.tsx";
import { useOpenEntries } from "./use-open-entries.ts";
import { useRows } from "./use-rows.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";
import type { QueuedPrompt } from "./writing/queue-storage.ts";

interface EntryListProps {
  readonly session: string;
  readonly transcript: SessionTranscript;
  readonly isBusy: boolean;
  readonly isAsked: boolean;
  readonly queued: readonly QueuedPrompt[];
  readonly sentId: string | undefined;
  onWithdraw(id: string): void;
}

/** The entries of a session. Only those near the screen are elements, so that a long session is as quick as a short one. */
export function EntryList({ session, transcript, isBusy, isAsked, queued, sentId, onWithdraw }: EntryListProps) {
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
  });
  return (
    <div className="entries-place">
      <Search search={search} />
      <div
        className="entries"
        ref={scroller}
        onScroll={stick.onScroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
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
            const isMarked = search.current === index || rows.chosen === index;
            return (
              <div
                key={key}
                ref={(element) => {
                  list.measureElement(element);
                  if (rows.chosen === index) rows.focus(element);
                }}
                data-index={index}
                tabIndex={-1}
                className={`entry${isMarked ? " found" : ""}${isParallel(entries, index) ? " parallel" : ""}`}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EntryView
                  session={session}
                  entry={entry}
                  isUnfinished={isUnfinished(transcript, entry)}
                  isOpen={open.has(entry.seq)}
                  onOpen={(isOpen) => setOpen(entry.seq, isOpen)}
                />
              </div>
            );
          })}
        </div>
        <ListEnd {...{ transcript, isBusy, isAsked, queued, sentId, onWithdraw }} />
      </div>
      {stick.unseen > 0 && (
        <button type="button" className="to-end" onClick={stick.toEnd}>
          {stick.unseen} new ↓
        </button>
      )}
      <Announcement transcript={transcript} />
    </div>
  );
}

function useEntryVirtualizer({ entries }: SessionTranscript, scroller: { readonly current: HTMLDivElement | null }) {
  return useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (entries[index]?.kind === "tool" ? 32 : 96),
    overscan: 8,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
}
