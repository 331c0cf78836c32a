import { omitUndefined, type UsageLimitError } from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";
import { type LimiterState, leave, letThrough, reopen } from "./limiter-state.ts";
import { type PermitListener, stopped, tooLongToWait, waitFor } from "./permit.ts";
import { expectedAt, type LimitPace, leftOf } from "./used-up.ts";

export interface Waiter {
  readonly id: number;
  readonly listener: PermitListener;
  /** Whether the run waits for a used-up window, for `maxWaitMs` in total at most. */
  readonly waits: boolean;
  readonly maxWaitMs: number;
  /** Set while the run is in the queue. `refusal` is the error that sent it back there. */
  pending?: PromiseWithResolvers<void> & { refusal?: UsageLimitError };
  /** Set while a used-up window holds the run. */
  hold?: { since: number; expectedAt: number; cancel(): void };
  waitedMs: number;
  /** The window in the last call to `onWaiting`, until `onCleared`. */
  waitsFor?: string;
  left: boolean;
  /** The number of questions to the user that the run waits for. */
  rests: number;
}

/**
 * Keeps the clock, the timers and the promises of the runs that wait for an account's host. The functions of `limiter-state.ts` choose the
 * next run. A timer runs only while a run waits for a window, and then keeps the process alive.
 */
export class WaitQueue {
  readonly #waiters = new Map<number, Waiter>();
  readonly #pace: LimitPace;
  readonly #now: () => number;
  #state: LimiterState;
  #cancelAlarm = () => {};

  constructor(state: LimiterState, pace: LimitPace, now: () => number) {
    this.#state = state;
    this.#pace = pace;
    this.#now = now;
  }

  get state(): LimiterState {
    return this.#state;
  }

  has(id: number): boolean {
    return this.#waiters.has(id);
  }

  /** Takes a new state and notifies every waiter that it affects. Listeners are called last, since they may call back. */
  settle(next: LimiterState): void {
    const time = this.#now();
    const { state, ids } = letThrough(reopen(next, time), time);
    this.#state = state;
    const notifications = ids.map((id) => this.#admit(this.#waiters.get(id), time));
    for (const waiter of this.#waiters.values()) if (waiter.pending) notifications.push(this.#updateHold(waiter, time));
    this.#setAlarm(time);
    for (const notify of notifications) notify?.();
  }

  /** Applies a state that contains this waiter in its queue. Resolves when the waiter may continue. */
  queue(waiter: Waiter, next: LimiterState, refusal?: UsageLimitError): Promise<void> {
    this.#waiters.set(waiter.id, waiter);
    waiter.pending = { ...Promise.withResolvers<void>(), ...omitUndefined({ refusal }) };
    const { promise } = waiter.pending;
    promise.catch(() => {}); // a run that left no longer awaits it
    this.settle(next);
    return promise;
  }

  /** Applies a state without this waiter. */
  dismiss(waiter: Waiter, next: LimiterState): void {
    this.#waiters.delete(waiter.id);
    endHold(waiter, this.#now());
    const { pending } = waiter;
    delete waiter.pending;
    this.settle(next);
    pending?.reject(stopped());
  }

  #admit(waiter: Waiter | undefined, time: number): (() => void) | undefined {
    if (!waiter) return undefined;
    endHold(waiter, time);
    const { pending, waitsFor, listener } = waiter;
    delete waiter.pending;
    delete waiter.waitsFor;
    return () => {
      if (!waiter.left && waitsFor !== undefined) listener.onCleared?.(waitsFor);
      if (waiter.left) pending?.reject(stopped());
      else pending?.resolve();
    };
  }

  /** Begins, renews or ends the hold of a queued run. */
  #updateHold(waiter: Waiter, time: number): (() => void) | undefined {
    const { limit } = this.#state;
    const isHeld = limit !== undefined && waiter.waits;
    const isTooLong = isHeld && waitedBy(waiter, time) + leftOf(limit, time) > waiter.maxWaitMs + this.#pace.spreadMs;
    if (isHeld && !isTooLong && waiter.hold?.expectedAt === expectedAt(limit)) return undefined;
    endHold(waiter, time);
    if (!isHeld) return undefined;
    if (isTooLong) return this.#giveUp(waiter);
    const cancel = every(this.#pace.noticeMs, () => {
      this.settle(this.#state); // the timers of a computer that slept are late
      this.#notifyWait(waiter);
    });
    waiter.hold = { since: time, expectedAt: expectedAt(limit), cancel };
    return () => this.#notifyWait(waiter);
  }

  #notifyWait(waiter: Waiter): void {
    const { limit } = this.#state;
    if (!waiter.hold || !limit) return;
    waiter.waitsFor = limit.window;
    waiter.listener.onWaiting?.(waitFor(limit, this.#now()));
  }

  #giveUp(waiter: Waiter): () => void {
    const { pending, maxWaitMs, id } = waiter;
    const { limit } = this.#state;
    delete waiter.pending;
    const error = pending?.refusal ?? (limit && tooLongToWait(limit, maxWaitMs, this.#now()));
    this.#state = leave(this.#state, id);
    return () => pending?.reject(error);
  }

  /** Sets a timer for the moment when the window opens or the host is probed. Every other change settles the queue itself. */
  #setAlarm(time: number): void {
    this.#cancelAlarm();
    const { limit } = this.#state;
    const isAwaited = limit && limit.until > time && [...this.#waiters.values()].some(({ hold }) => hold);
    this.#cancelAlarm = isAwaited ? startTimer(limit.until - time, () => this.settle(this.#state)) : () => {};
  }
}

function endHold(waiter: Waiter, time: number): void {
  if (!waiter.hold) return;
  waiter.hold.cancel();
  waiter.waitedMs = waitedBy(waiter, time);
  delete waiter.hold;
}

/** Returns how long windows have held a run so far. */
function waitedBy({ waitedMs, hold }: Waiter, time: number): number {
  return hold ? waitedMs + time - hold.since : waitedMs;
}

function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}
