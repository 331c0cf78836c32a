import type { RunReplay, SessionTranscript } from "@bridle/client";
import { formatCount } from "@bridle/protocol/text";
import { useMemo, useState } from "react";
import { type SessionEntry, withRetries } from "../connection/session-entries.ts";
import { EntryView } from "../conversation/entry-view.tsx";
import { ModelInputs } from "./model-inputs.tsx";
import "../conversation/conversation.css";

/** The number of entries to show before the chosen event. */
export const shownEntries = 150;

/** The conversation up to the chosen event. */
export function ReplayEntries({ session, replay }: { session: string; replay: RunReplay }) {
  const { earlier, transcript } = replay;
  const entries = useMemo(() => entriesInSight(transcript, earlier), [transcript, earlier]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  return (
    <section className="replay-entries" aria-label="The run up to here">
      {earlier > 0 && <p className="muted">{describeEarlier(earlier)} in the conversation.</p>}
      <ModelInputs replay={replay} />
      {entries.map((entry, index) => (
        <EntryView
          // biome-ignore lint/suspicious/noArrayIndexKey: messages of one prompt have one event
          key={`${entry.seq} ${earlier + index}`}
          session={session}
          entry={entry}
          canFork={false}
          isOpen={open.has(entry.seq)}
          onOpen={(isOpen) =>
            setOpen(
              (before) => new Set(isOpen ? [...before, entry.seq] : [...before].filter((seq) => seq !== entry.seq)),
            )
          }
        />
      ))}
    </section>
  );
}

/** Returns the visible entries, including the retried responses since the first of them. */
function entriesInSight(transcript: SessionTranscript, earlier: number): readonly SessionEntry[] {
  const first = earlier > 0 ? (transcript.entries[0]?.seq ?? 0) : 0;
  const { retries = [] } = transcript;
  return withRetries({ ...transcript, retries: retries.filter(({ seq }) => seq > first) }).entries;
}

function describeEarlier(entries: number): string {
  return entries === 1 ? "The entry before these is" : `The ${formatCount(entries)} entries before these are`;
}
