import type { SessionEntry } from "../connection/session-entries.ts";
import { EntryView } from "./entry-view.tsx";
import type { Parallel } from "./steps.ts";

interface EntryRowProps {
  readonly session: string;
  readonly entry: SessionEntry;
  readonly index: number;
  /** The distance from the start of the list, in pixels. */
  readonly start: number;
  readonly parallel: Parallel | undefined;
  /** Whether the user moved to the entry with keys or the search. */
  readonly isMarked: boolean;
  readonly isInspected: boolean;
  readonly isUnfinished: boolean;
  readonly isOpen: boolean;
  /** Called with the entry's element while it is rendered. */
  onElement(element: HTMLElement | null): void;
  onOpen(isOpen: boolean): void;
  onInspect(): void;
}

/** An entry at its position in the list, with a button to open the inspector. */
export function EntryRow({ index, start, parallel, onElement, onInspect, ...row }: EntryRowProps) {
  const { session, entry, isMarked, isInspected, isUnfinished, isOpen, onOpen } = row;
  const states = [isMarked && "found", isInspected && "inspected", parallel && "parallel"];
  return (
    <div
      ref={onElement}
      data-index={index}
      data-seq={entry.seq}
      tabIndex={-1}
      className={["entry", `entry-${entry.kind}`, ...states].filter(Boolean).join(" ")}
      style={{ transform: `translateY(${start}px)` }}
    >
      {parallel?.count !== undefined && <p className="muted parallel-head">{parallel.count} calls at once</p>}
      <EntryView session={session} entry={entry} isUnfinished={isUnfinished} isOpen={isOpen} onOpen={onOpen} />
      <button
        type="button"
        className="quiet inspect"
        aria-label="Inspect"
        title="Inspect"
        aria-pressed={isInspected}
        onClick={onInspect}
      >
        ›
      </button>
    </div>
  );
}
