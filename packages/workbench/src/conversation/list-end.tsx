import type { ShownTranscript } from "../connection/session-entries.ts";
import { describeEnd } from "./run-state.ts";
import type { QueuedPrompt } from "./writing/queue-storage.ts";
import { QueuedMessage } from "./writing/queued-message.tsx";

interface ListEndProps {
  readonly transcript: ShownTranscript;
  readonly isBusy: boolean;
  readonly isAsked: boolean;
  readonly queued: readonly QueuedPrompt[];
  readonly sentId: string | undefined;
  readonly refusedId: string | undefined;
  onWithdraw(id: string): void;
}

/** The content after the entries: the current activity, how the last run ended, and messages that are waiting to be sent. */
export function ListEnd({ transcript, isBusy, isAsked, queued, sentId, refusedId, onWithdraw }: ListEndProps) {
  const end = describeEnd(transcript);
  const isEmpty = transcript.entries.length === 0 && !isBusy && queued.length === 0;
  return (
    <div className="entries-end">
      {isBusy && (
        <p className="muted busy">
          {isAsked ? "Waits for your answer." : transcript.answering ? "Answering …" : "Working …"}
        </p>
      )}
      {end !== undefined && (
        <p className="note" role="status">
          {end}
        </p>
      )}
      {isEmpty && <p className="muted">There are no messages yet. Write the first one below.</p>}
      {queued.map((prompt) => (
        <QueuedMessage
          key={prompt.id}
          prompt={prompt}
          state={prompt.id === sentId ? "Sent" : prompt.id === refusedId ? "Not sent" : "Waits to be sent"}
          onWithdraw={() => onWithdraw(prompt.id)}
        />
      ))}
    </div>
  );
}
