import { AsyncLocalStorage } from "node:async_hooks";
import { StoppedError, UsageLimitError } from "@bridle/protocol";
import { opensAgain } from "./usage-limit-error.ts";
import { leftOf, type UsedUp } from "./used-up.ts";

/** What a waiting run is told, at once and then from time to time. */
export interface LimitWait {
  window: string;
  /** Milliseconds since the epoch, where the host says. */
  resetsAt?: number;
  remainingMs: number;
}

/** Contract of both: returns at once and does not throw. */
export interface PermitListener {
  onWaiting?(wait: LimitWait): void;
  /** The run goes on. */
  onCleared?(window: string): void;
}

/** One run's place at its account's host. */
export interface Permit {
  /**
   * Resolves when the run may ask its host. Rejects with a StoppedError when it leaves before that, and with a
   * UsageLimitError when it would have to wait longer than its owner allows.
   */
  enter(): Promise<void>;
  /**
   * The host refused the run because a window is used up. Resolves when the same request may be sent again; rejects
   * with this error where the owner does not wait, or not so long, and with a StoppedError when the run leaves.
   */
  awaitLimit(error: UsageLimitError): Promise<void>;
  /** The host said that it is near a limit. */
  warned(): void;
  /** The host answered. */
  answered(): void;
  /** Does work, such as a tool, for which the host waits: runs that start within it use this run's slot meanwhile. */
  inside<T>(work: () => T): T;
  /** The run has ended, with this error where there is one. Without effect when called again. */
  leave(error?: unknown): void;
}

/** Who one is inside of, outermost first. */
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

/** For a run that was never sent, since a window is known to be used up for longer than it may wait. */
export function tooLongToWait({ window, resetsAt }: UsedUp, maxWaitMs: number, now: number): UsageLimitError {
  const opens = resetsAt === undefined ? undefined : new Date(resetsAt);
  const when = opens ? opensAgain(opens, now) : "does not say when it opens again";
  const message = `The usage window ${window} is used up and ${when}. That is longer than maxWaitMs allows (${maxWaitMs} ms): try later, or allow more.`;
  return new UsageLimitError(message, { window, ...(opens && { resetsAt: opens }) });
}
