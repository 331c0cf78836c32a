import { AsyncLocalStorage } from "node:async_hooks";
import { StoppedError, UsageLimitError } from "@bridle/protocol";
import { opensAgain } from "./usage-limit-error.ts";
import { leftOf, type UsedUp } from "./used-up.ts";

/** The state of a wait, reported immediately and then regularly. */
export interface LimitWait {
  window: string;
  /** When the window opens, in milliseconds since the epoch. Missing if the host does not report it. */
  resetsAt?: number;
  remainingMs: number;
}

/** Contract: both methods return immediately and do not throw. */
export interface PermitListener {
  onWaiting?(wait: LimitWait): void;
  /** Called when the run continues. */
  onCleared?(window: string): void;
}

/** The right of one run to use its account's host. */
export interface Permit {
  /**
   * Resolves when the run may send requests. Rejects with a StoppedError if the run leaves first, and with a UsageLimitError if the wait
   * would exceed `maxWaitMs`.
   */
  enter(): Promise<void>;
  /**
   * Reports that the host refused the run because a window is used up. Resolves when the same request may be sent again. Rejects with this
   * error if the run does not wait for windows or the wait would exceed `maxWaitMs`, and with a StoppedError if the run leaves.
   */
  awaitLimit(error: UsageLimitError): Promise<void>;
  /**
   * Lets other runs use the account while this run waits for the user, until the returned function is called. That function resolves when
   * the run may send requests again, and rejects as `enter` does. With several rests at the same time, the last to end counts.
   */
  rest(): () => Promise<void>;
  /** Reports that the host warned about a limit. */
  warned(): void;
  /** Reports that the host answered. */
  answered(): void;
  /** Executes work that the host waits for, such as a tool call. Nested runs that the work starts may use this run's slot. */
  inside<T>(work: () => T): T;
  /** Ends the permit, with the run's error if there is one. Further calls have no effect. */
  leave(error?: unknown): void;
}

/** The permits around the current call, outermost first. */
const around = new AsyncLocalStorage<readonly Permit[]>();

export function enclosingPermits(): readonly Permit[] {
  return around.getStore() ?? [];
}

export function runInside<T>(permit: Permit, work: () => T): T {
  return around.run([...enclosingPermits(), permit], work);
}

export function waitFor(limit: UsedUp, now: number): LimitWait {
  const { window, resetsAt } = limit;
  return { window, ...(resetsAt === undefined ? {} : { resetsAt }), remainingMs: leftOf(limit, now) };
}

export function stopped(): StoppedError {
  return new StoppedError("The run was stopped.");
}

/** Creates the error for a run that sends no request, because a window stays used up for longer than the run may wait. */
export function tooLongToWait({ window, resetsAt }: UsedUp, maxWaitMs: number, now: number): UsageLimitError {
  const opens = resetsAt === undefined ? undefined : new Date(resetsAt);
  const when = opens ? opensAgain(opens, now) : "has no known reset time";
  const message = `The usage window ${window} is used up and ${when}. That is longer than maxWaitMs allows (${maxWaitMs} ms): try later, or allow more.`;
  return new UsageLimitError(message, { window, ...(opens && { resetsAt: opens }) });
}
