import type { RunShare, TakenPlaces } from "./run-slots.ts";
import { busyHere, TooManyWaitingError } from "./serving-errors.ts";
import { WorkInProgress } from "./work-in-progress.ts";

/** The maximum number of runs that wait in a session. */
const maxWaiting = 16;

interface SessionEntry {
  readonly place: TakenPlaces;
  runs: number;
}

/**
 * Each session's runs that are starting, waiting for their turn, or in progress. Only one run of a session executes, so a session uses one
 * slot.
 */
export class SessionRuns {
  readonly #share: RunShare;
  readonly #sessions = new Map<string, SessionEntry>();
  readonly #work = new WorkInProgress();

  constructor(share: RunShare) {
    this.#share = share;
  }

  get isInUse(): boolean {
    return this.#work.count > 0;
  }

  /** Counts a run until the returned function is called. Throws StoreBusyError and TooManyRunsError. */
  enter(sessionId: string, whenBusy: "wait" | "fail"): () => void {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined && whenBusy === "fail") throw busyHere(sessionId);
    if (known !== undefined && known.runs > maxWaiting) throw new TooManyWaitingError(sessionId, maxWaiting);
    const entry = known ?? { place: this.#share.take(), runs: 0 };
    this.#sessions.set(sessionId, entry);
    entry.runs += 1;
    const end = this.#work.enter();
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      entry.runs -= 1;
      if (entry.runs === 0) {
        entry.place.leave();
        this.#sessions.delete(sessionId);
      }
      end();
    };
  }

  /** Called when the session's executing run waits for a user. The run's slot is free until `wake` is called. */
  rest(sessionId: string): void {
    this.#sessions.get(sessionId)?.place.rest();
  }

  /** Called when the user has answered, or when the run has ended. */
  wake(sessionId: string): void {
    this.#sessions.get(sessionId)?.place.wake();
  }

  /** Resolves when the session has no run, or after this time. */
  whenNoneWithin(ms: number): Promise<void> {
    return this.#work.whenNoneWithin(ms);
  }
}
