import type { QueuedPrompt } from "./use-queued-prompts.ts";

/** A message that waits for the end of the run. */
export function QueuedMessage({
  prompt: { prompt, attachments = [] },
  onWithdraw,
}: {
  prompt: QueuedPrompt;
  onWithdraw(): void;
}) {
  return (
    <div className="prompt queued">
      <p className="muted">
        Waits for the end of the run{attachments.length > 0 && `, with ${attachments.length} attached`}{" "}
        <button type="button" className="quiet" onClick={onWithdraw}>
          Take back
        </button>
      </p>
      <p className="prompt-text">{prompt}</p>
    </div>
  );
}
