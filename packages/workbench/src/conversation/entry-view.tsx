import { showHiddenInDocument } from "@bridle/protocol/text";
import { memo } from "react";
import type { SessionEntry } from "../connection/session-entries.ts";
import { Markdown } from "../text/markdown.tsx";
import { ForkButton } from "./fork-button.tsx";
import { ToolCall } from "./tool-call.tsx";
import { CutOffAnswer } from "./void/cut-off-answer.tsx";
import { RetriedResponse } from "./void/retried-response.tsx";

interface EntryViewProps {
  readonly session: string;
  readonly entry: SessionEntry;
  readonly isOpen: boolean;
  /** Whether the text will never be completed, or the call will never end. */
  readonly isUnfinished?: boolean;
  /** Whether a fork can start after the entry. In a replay, steps are numbered per run, so forks are not offered. Default: true. */
  readonly canFork?: boolean;
  onOpen(isOpen: boolean): void;
}

/** An entry of a session. */
export const EntryView = memo(
  function EntryView({ session, entry, isOpen, isUnfinished = false, canFork = true, onOpen }: EntryViewProps) {
    switch (entry.kind) {
      case "user":
        return <Prompt entry={entry} />;
      case "text":
        if (isUnfinished) return <CutOffAnswer run={entry.runId} text={entry.text} isOpen={isOpen} onOpen={onOpen} />;
        return (
          <div className="answer">
            <Markdown text={entry.text} isGrowing={!entry.complete} />
            {canFork && entry.complete && <ForkButton session={session} step={entry.step} />}
          </div>
        );
      case "reasoning":
        return (
          <details className="reasoning" open={isOpen} onToggle={(event) => onOpen(event.currentTarget.open)}>
            <summary>Reasoning</summary>
            {isOpen && <Markdown text={entry.text} />}
          </details>
        );
      case "tool":
        return (
          <ToolCall
            session={session}
            entry={entry}
            isOpen={isOpen}
            canFork={canFork}
            isUnfinished={isUnfinished}
            onOpen={onOpen}
          />
        );
      case "retry":
        return <RetriedResponse session={session} entry={entry} isOpen={isOpen} onOpen={onOpen} />;
      case "history":
        return <p className="muted history">From here on the model gets a shorter history ({entry.reason}).</p>;
    }
  },
  (before, after) =>
    before.isOpen === after.isOpen && before.isUnfinished === after.isUnfinished && before.entry === after.entry, // unchanged: same object
);

function Prompt({ entry: { message } }: { entry: Extract<SessionEntry, { kind: "user" }> }) {
  const { content } = message;
  const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
  return (
    <div className="prompt">
      <span className="hidden-text">You: </span>
      {parts.map((part, index) =>
        part.type === "text" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <p key={index} className="prompt-text" dir="auto">
            {showHiddenInDocument(part.text)}
          </p>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <p key={index} className="muted">
            Attached:{" "}
            {part.type === "file" && part.name !== undefined ? showHiddenInDocument(part.name) : part.mediaType}
          </p>
        ),
      )}
    </div>
  );
}
