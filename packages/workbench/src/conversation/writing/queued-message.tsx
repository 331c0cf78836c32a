import type { QueuedPrompt } from "./queue-storage.ts";

/** A message that waits for the end of the run. */
export function QueuedMessage({
  prompt: { prompt, attachments = [] },
  state,
  onWithdraw,
}: {
  prompt: QueuedPrompt;
  /** After `Sent`, the run of the message is about to begin, so the message cannot be taken back. */
  state: "Sent" | "Not sent" | "Waits to be sent";
  onWithdraw(): void;
}) {
  return (
    <div className="prompt queued">
      <p className="muted">
        {state}
        {attachments.length > 0 && `, with ${attachments.length} attached`}
        {state !== "Sent" && (
          <button type="button" className="quiet" onClick={onWithdraw}>
            Take back
          </button>
        )}
      </p>
      <p className="prompt-text" dir="auto">
        {prompt}
      </p>
    </div>
  );
}
