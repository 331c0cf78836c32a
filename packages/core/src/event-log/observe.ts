import type { Logger, RunEvent } from "@bridle/protocol";

/** Called with every event. If it throws or rejects, the error is logged and nothing else happens. */
export type Listener = (event: RunEvent) => unknown;

/** Calls several listeners. A failure of one affects neither the others nor the run. */
export function createObserver(listeners: readonly Listener[], logger: Logger): (event: RunEvent) => void {
  function warn({ runId, type }: RunEvent, error: unknown): void {
    logger.warn({ runId, event: type, error }, "an observer of events failed; the run continues");
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
