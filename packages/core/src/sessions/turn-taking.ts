import { type EventLog, getErrorMessage, InvalidRequestError, StoppedError, StoreBusyError } from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";

/**
 * Allows one run at a time for each session: in this runtime in the order of the requests; between processes, the first that
 * tries when the session is free.
 */
export interface TurnTaking {
  /**
   * Resolves with a function that ends the turn. If the session is busy and `whenBusy` is `fail`, rejects with an
   * InvalidRequestError, or with a StoreBusyError if another process has it. Rejects with a StoppedError if the signal is
   * aborted while it waits.
   */
  take(sessionId: string, whenBusy: "wait" | "fail", signal?: AbortSignal): Promise<() => void>;
}

/** The interval at which a session of another process is tried again, in milliseconds. */
const pollMs = 20;

export function createTurnTaking(record: Pick<EventLog, "claim">): TurnTaking {
  /** The waiting runs of each busy session. */
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
      try {
        const release = await claim(record, sessionId, whenBusy, signal);
        return once(() => {
          release();
          give(sessionId);
        });
      } catch (error) {
        give(sessionId);
        throw error;
      }
    },
  };
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (!done) work();
    done = true;
  };
}

/** Other failures of the event log appear with the run's first event, and end the run. */
async function claim(
  record: Pick<EventLog, "claim">,
  sessionId: string,
  whenBusy: "wait" | "fail",
  signal: AbortSignal | undefined,
): Promise<() => void> {
  for (;;) {
    if (signal?.aborted) throw stopped(signal);
    try {
      return record.claim?.(sessionId) ?? (() => {});
    } catch (error) {
      if (!(error instanceof StoreBusyError)) return () => {};
      if (whenBusy === "fail" || error.holder === undefined) throw error;
    }
    await pause(signal);
  }
}

/** Ends early if the signal is aborted. */
async function pause(signal: AbortSignal | undefined): Promise<void> {
  const over = Promise.withResolvers<void>();
  const callOff = startTimer(pollMs, over.resolve);
  const onAbort = () => over.resolve();
  signal?.addEventListener("abort", onAbort, { once: true });
  await over.promise;
  callOff();
  signal?.removeEventListener("abort", onAbort);
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
  return new StoppedError(`The run was stopped before it began: ${getErrorMessage(signal?.reason)}.`);
}
