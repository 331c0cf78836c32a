import type { QueuedPrompt } from "./queue-storage.ts";

/** A message that waits for the end of the run. */
export function QueuedMessage({
  prompt: { prompt, attachments = [] },
  isSent,
  onWithdraw,
}: {
  prompt: QueuedPrompt;
  /** Whether its run is about to begin. */
  isSent: boolean;
  onWithdraw(): void;
}) {
  return (
    <div className="prompt queued">
      <p className="muted">
        {isSent ? "Sent" : "Waits to be sent"}
        {attachments.length > 0 && `, with ${attachments.length} attached`}
        {!isSent && (
          <button type="button" className="quiet" onClick={onWithdraw}>
            Take back
          </button>
        )}
      </p>
      <p className="prompt-text">{prompt}</p>
    </div>
  );
}
