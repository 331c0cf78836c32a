import {
  AbortError,
  type EventLog,
  type EventWriter,
  getErrorMessage,
  InvalidRequestError,
  StoreBusyError,
} from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";

/** The turn of one run in a session. */
export interface SessionTurn {
  /** The only writer of the session. Missing if the event log failed; the run then reports the failure. */
  readonly writer: EventWriter | undefined;
  /** Lets the next run of this runtime begin. Does not close the writer. */
  end(): void;
}

/**
 * Allows one run at a time for each session. Within this runtime, runs follow in the order of the requests; between processes, the first
 * run that tries while the session is free gets the session.
 */
export interface TurnTaking {
  /**
   * Resolves with a turn. If the session is busy and `whenBusy` is `fail`, rejects with an InvalidRequestError, or with a StoreBusyError if
   * another process uses the session. Rejects with a StoppedError if the signal is aborted during the wait.
   */
  take(sessionId: string, whenBusy: "wait" | "fail", signal?: AbortSignal): Promise<SessionTurn>;
}

/** The interval between attempts to take a session that another process uses, in milliseconds. */
const pollMs = 20;

export function createTurnTaking(eventLog: Pick<EventLog, "openWriter">): TurnTaking {
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
        const writer = await openWhenFree(eventLog, sessionId, whenBusy, signal);
        return { writer, end: once(() => give(sessionId)) };
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

/**
 * Opens the stream as soon as no other process uses it. Other failures of the event log end the run when the run opens the stream itself.
 */
async function openWhenFree(
  eventLog: Pick<EventLog, "openWriter">,
  sessionId: string,
  whenBusy: "wait" | "fail",
  signal: AbortSignal | undefined,
): Promise<EventWriter | undefined> {
  for (;;) {
    if (signal?.aborted) throw stopped(signal);
    try {
      return await eventLog.openWriter({ sessionId });
    } catch (error) {
      if (!(error instanceof StoreBusyError)) return undefined;
      if (whenBusy === "fail" || error.holder === undefined) throw error;
    }
    await pause(signal);
  }
}

/** Pauses for `pollMs`, or until the signal is aborted. */
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

function stopped(signal: AbortSignal | undefined): AbortError {
  const cause: unknown = signal?.reason;
  if (cause instanceof Error && cause.name === "TimeoutError") {
    return new AbortError(
      "The session was busy for the whole time limit of the run, so it did not begin. Allow more time.",
      { cause },
    );
  }
  return new AbortError(`The run was stopped before it began: ${getErrorMessage(cause)}.`, { cause });
}
