import type { Logger, RunEvent } from "@bridle/protocol";

/** Called with every event. What it throws, or rejects with, is logged and affects nobody. */
export type Listener = (event: RunEvent) => unknown;

/** Tells several listeners, each shielded from the failures of the others, and the run from all of them. */
export function createObserver(listeners: readonly Listener[], logger: Logger): (event: RunEvent) => void {
  function warn({ runId, type }: RunEvent, error: unknown): void {
    logger.warn({ runId, event: type, error }, "an observer of events failed; the run goes on");
  }

  return (event) => {
    for (const listener of listeners) {
      try {
        const answer = listener(event);
        if (answer instanceof Promise) answer.catch((error: unknown) => warn(event, error));
      } catch (error) {
        warn(event, error);
      }
    }
  };
}
