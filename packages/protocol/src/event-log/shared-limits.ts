/** A usage window that is used up; `resetsAt` in milliseconds since the epoch. */
export interface LimitState {
  readonly window: string;
  readonly resetsAt: number;
}

export function isSameWindow(one: LimitState | undefined, other: LimitState | undefined): boolean {
  return one?.window === other?.window && one?.resetsAt === other?.resetsAt;
}

/**
 * The used-up windows of accounts, shared by all processes that use an event log. An account is a hash of its name.
 *
 * Contract: a change is complete, and survives a power cut, when its promise resolves. Of several that replace the same state
 * by different ones at the same time, one succeeds.
 */
export interface SharedLimits {
  /** The stored window; undefined if there is none. It may have opened again. */
  read(account: string): Promise<LimitState | undefined>;
  /**
   * Stores `next`, or nothing if that is undefined, if the stored window is still `expected`. Returns whether `next` is stored
   * now; false, if another process has stored another window. Nothing has been changed then.
   */
  replace(account: string, expected: LimitState | undefined, next: LimitState | undefined): Promise<boolean>;
}
