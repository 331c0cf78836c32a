import type { SessionTranscript } from "@bridle/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { EntryView } from "./entry-view.tsx";
import { QueuedMessage } from "./queued-message.tsx";
import { describeEnd } from "./run-state.ts";
import { Search, useSearch } from "./search.tsx";
import type { QueuedPrompt } from "./use-queued-prompts.ts";
import { useStickToEnd } from "./use-stick-to-end.ts";

interface EntryListProps {
  readonly session: string;
  readonly transcript: SessionTranscript;
  readonly isBusy: boolean;
  readonly queued: readonly QueuedPrompt[];
  onWithdraw(id: string): void;
}

/** The entries of a session. Only those near the screen are elements, so that a long session is as quick as a short one. */
export function EntryList({ session, transcript, isBusy, queued, onWithdraw }: EntryListProps) {
  const { entries } = transcript;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: entries.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => `${entries[index]?.runId} ${entries[index]?.seq} ${index}`,
    estimateSize: (index) => (entries[index]?.kind === "tool" ? 32 : 96),
    overscan: 8,
    initialOffset: Number.MAX_SAFE_INTEGER,
  });
  const stick = useStickToEnd(scroller, entries.length + queued.length);
  const search = useSearch(entries, (index) => list.scrollToIndex(index, { align: "center" }));
  const [open, setOpen] = useOpenEntries();
  const end = describeEnd(transcript);
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
        <div className="entries-all" style={{ height: list.getTotalSize() }}>
          {list.getVirtualItems().map(({ index, key, start }) => {
            const entry = entries[index];
            return entry === undefined ? null : (
              <div
                key={key}
                ref={list.measureElement}
                data-index={index}
                className={search.current === index ? "entry found" : "entry"}
                style={{ transform: `translateY(${start}px)` }}
              >
                <EntryView
                  session={session}
                  entry={entry}
                  isOpen={open.has(entry.seq)}
                  onOpen={(isOpen) => setOpen(entry.seq, isOpen)}
                />
              </div>
            );
          })}
        </div>
        <div className="entries-end">
          {isBusy && <p className="muted busy">{transcript.answering ? "Answering …" : "Working …"}</p>}
          {end !== undefined && (
            <p className="note" role="status">
              {end}
            </p>
          )}
          {entries.length === 0 && !isBusy && queued.length === 0 && (
            <p className="muted">Nothing was said yet. Write the first message below.</p>
          )}
          {queued.map((prompt) => (
            <QueuedMessage key={prompt.id} prompt={prompt} onWithdraw={() => onWithdraw(prompt.id)} />
          ))}
        </div>
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

/** Tells screen readers an answer when it is complete, and not each piece of it. */
function Announcement({ transcript: { entries } }: { transcript: SessionTranscript }) {
  const last = entries.findLast((entry) => entry.kind === "text" && entry.complete);
  const known = useRef(last?.seq);
  const text = last?.kind === "text" && last.seq !== known.current ? last.text : "";
  return (
    <p className="hidden-text" aria-live="polite">
      {text.slice(0, 2000)}
    </p>
  );
}

/** Which calls are open: those that were opened here, and the one that the address names. */
function useOpenEntries(): readonly [ReadonlySet<number>, (seq: number, isOpen: boolean) => void] {
  const [open, setOpen] = useState<ReadonlySet<number>>(() => {
    const named = Number(new URLSearchParams(location.search).get("open"));
    return new Set(named > 0 ? [named] : []);
  });
  useEffect(() => {
    const newest = [...open].at(-1);
    const address = newest === undefined ? location.pathname : `${location.pathname}?open=${newest}`;
    history.replaceState(history.state, "", address);
  }, [open]);
  const change = (seq: number, isOpen: boolean) =>
    setOpen((before) => new Set(isOpen ? [...before, seq] : [...before].filter((each) => each !== seq)));
  return [open, change];
}
