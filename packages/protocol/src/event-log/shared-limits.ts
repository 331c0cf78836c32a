/** A used-up usage window. `resetsAt` is in milliseconds since the epoch. */
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
 * Contract: a change is complete, and survives a power cut, when its promise resolves. If several calls replace the same state at the same
 * time, one succeeds.
 */
export interface SharedLimits {
  /** Resolves with the stored window, which may have opened again; undefined if there is none. */
  read(account: string): Promise<LimitState | undefined>;
  /**
   * Replaces the stored window with `next` if the stored window still equals `expected`. `undefined` stands for no window. Resolves with
   * true if `next` is stored now, and with false, without a change, if another process has stored another window.
   */
  replace(account: string, expected: LimitState | undefined, next: LimitState | undefined): Promise<boolean>;
}
