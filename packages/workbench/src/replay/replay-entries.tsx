import type { RunReplay } from "@bridle/client";
import { formatCount } from "@bridle/protocol/text";
import { useState } from "react";
import { EntryView } from "../conversation/entry-view.tsx";
import { ModelInputs } from "./model-inputs.tsx";
import "../conversation/conversation.css";

/** Entries that are shown: those that lead to the chosen event. */
export const shownEntries = 150;

/** The conversation up to the chosen event. */
export function ReplayEntries({ session, replay }: { session: string; replay: RunReplay }) {
  const { entries } = replay.transcript;
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const { earlier } = replay;
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

function describeEarlier(entries: number): string {
  return entries === 1 ? "The entry before these is" : `The ${formatCount(entries)} entries before these are`;
}
