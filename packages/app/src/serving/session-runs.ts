import type { RunShare, TakenPlaces } from "./run-slots.ts";
import { busyHere, TooManyWaitingError } from "./serving-errors.ts";
import { WorkInProgress } from "./work-in-progress.ts";

/** Runs of a session that wait for their turn. */
const maxWaiting = 16;

interface SessionEntry {
  readonly place: TakenPlaces;
  runs: number;
}

/** The runs of each session that begin, wait for their turn or are in progress. One of them executes, so a session has one place. */
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

  /** The run of the session that executes waits for a person: its place is free meanwhile. */
  rest(sessionId: string): void {
    this.#sessions.get(sessionId)?.place.rest();
  }

  /** The person has answered, or the run has ended. */
  wake(sessionId: string): void {
    this.#sessions.get(sessionId)?.place.wake();
  }

  /** Resolves when there is none, or after this time. */
  whenNoneWithin(ms: number): Promise<void> {
    return this.#work.whenNoneWithin(ms);
  }
}
