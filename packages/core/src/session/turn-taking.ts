import { InvalidRequestError, StoppedError } from "../errors.ts";
import { reasonOf } from "../reason-of.ts";

/** One run at a time for each session, in the order in which they were asked for. */
export interface TurnTaking {
  /**
   * Resolves with how to give the turn back. Rejects with an InvalidRequestError when somebody has it and `whenBusy` is
   * `fail`, and with a StoppedError when the signal is aborted meanwhile.
   */
  take(sessionId: string, whenBusy: "wait" | "fail", signal?: AbortSignal): Promise<() => void>;
}

export function createTurnTaking(): TurnTaking {
  /** Who waits for a session that somebody has. */
  const waiting = new Map<string, (() => void)[]>();

  function give(sessionId: string): void {
    const next = waiting.get(sessionId)?.shift();
    if (next) next();
    else waiting.delete(sessionId);
  }

  return {
    async take(sessionId, whenBusy, signal) {
      if (signal?.aborted) throw stopped(signal);
      const queue = waiting.get(sessionId);
      if (!queue) waiting.set(sessionId, []);
      else if (whenBusy === "fail") throw busy(sessionId);
      else await inLine(queue, signal);
      let given = false;
      return () => {
        if (!given) give(sessionId);
        given = true;
      };
    },
  };
}

async function inLine(queue: (() => void)[], signal: AbortSignal | undefined): Promise<void> {
  const turn = Promise.withResolvers<void>();
  const leave = () => {
    const place = queue.indexOf(turn.resolve);
    if (place < 0) return; // its turn has just come
    queue.splice(place, 1);
    turn.reject(stopped(signal));
  };
  queue.push(turn.resolve);
  signal?.addEventListener("abort", leave, { once: true });
  void turn.promise.catch(() => {}).then(() => signal?.removeEventListener("abort", leave));
  await turn.promise;
}

function busy(sessionId: string): InvalidRequestError {
  return new InvalidRequestError(`The session ${sessionId} has a run in progress. Wait for its result, or stop it.`);
}

function stopped(signal: AbortSignal | undefined): StoppedError {
  return new StoppedError(`The run was stopped before it began: ${reasonOf(signal?.reason)}.`);
}
