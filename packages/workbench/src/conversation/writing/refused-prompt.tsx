import type { PromptQueue } from "./use-queued-prompts.ts";

/** Shows why the next message was not sent, with the possible actions. The messages after it wait. */
export function RefusedPrompt({ queue, onTakeBack }: { queue: PromptQueue; onTakeBack(id: string): void }) {
  const { problem, prompts, sendAgain, remove } = queue;
  if (problem === undefined) return null;
  const waiting = prompts.length - 1;
  return (
    <div className="refused-prompt" role="alert">
      <p>
        {problem.isUnreachable ? "" : "Not sent: "}
        {problem.words}
        {waiting > 0 && ` ${waiting === 1 ? "1 message waits" : `${waiting} messages wait`} behind it.`}
      </p>
      <div className="actions">
        {problem.canRepeat && (
          <button type="button" onClick={sendAgain}>
            Send again
          </button>
        )}
        <button type="button" onClick={() => onTakeBack(problem.id)}>
          Take back
        </button>
        <button type="button" className="danger" onClick={() => remove(problem.id)}>
          Remove
        </button>
      </div>
    </div>
  );
}
