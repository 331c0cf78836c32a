/**
 * The clock, the timers and the promises of those who wait for their turn at an account's host; who goes next is
 * decided in `limiter-state.ts`. A timer runs only while somebody waits for a window, and keeps the process alive
 * for them.
 */
import type { UsageLimitError } from "@bridle/protocol";
import { startTimer } from "../time/timer.ts";
import { type GovernorState, leave, letThrough, reopen } from "./limiter-state.ts";
import { type SeatListener, stopped, tooLongToWait, waitFor } from "./permit.ts";
import { expectedAt, type LimitPace, leftOf } from "./used-up.ts";

export interface Guest {
  readonly id: number;
  readonly listener: SeatListener;
  /** Waits for a used-up window, altogether at most so long. */
  readonly waits: boolean;
  readonly maxWaitMs: number;
  /** While it is in the queue; `refusal` is what sent it back there. */
  pending?: PromiseWithResolvers<void> & { refusal?: UsageLimitError };
  /** While a used-up window holds it. */
  hold?: { since: number; expectedAt: number; callOff(): void };
  waitedMs: number;
  /** The window that it was told to wait for, and not yet that it goes on. */
  waitsFor?: string;
  left: boolean;
}

export interface WaitQueue {
  readonly state: GovernorState;
  has(id: number): boolean;
  /** Takes a new state, and tells everyone for whom it changes something. */
  settle(next: GovernorState): void;
  /** Takes a state in which this guest is queued. Resolves when it is let through. */
  queue(guest: Guest, next: GovernorState, refusal?: UsageLimitError): Promise<void>;
  /** Takes a state in which this guest is gone. */
  dismiss(guest: Guest, next: GovernorState): void;
}

export function createWaitQueue(first: GovernorState, pace: LimitPace, now: () => number): WaitQueue {
  const guests = new Map<number, Guest>();
  let state = first;
  let callOffAlarm = () => {};

  /** Listeners come last: they may call back. */
  function settle(next: GovernorState): void {
    const time = now();
    const { state: settled, ids } = letThrough(reopen(next, time), time);
    state = settled;
    const news = ids.map((id) => goOn(guests.get(id), time));
    for (const guest of guests.values()) if (guest.pending) news.push(updateHold(guest, time));
    setAlarm(time);
    for (const tell of news) tell?.();
  }

  function goOn(guest: Guest | undefined, time: number): (() => void) | undefined {
    if (!guest) return undefined;
    endHold(guest, time);
    const { pending, waitsFor, listener } = guest;
    delete guest.pending;
    delete guest.waitsFor;
    return () => {
      if (!guest.left && waitsFor !== undefined) listener.onCleared?.(waitsFor);
      if (guest.left) pending?.reject(stopped());
      else pending?.resolve();
    };
  }

  /** Begins, renews or ends the hold of a queued run. */
  function updateHold(guest: Guest, time: number): (() => void) | undefined {
    const { limit } = state;
    const isHeld = limit !== undefined && guest.waits;
    const isTooLong = isHeld && waitedBy(guest, time) + leftOf(limit, time) > guest.maxWaitMs + pace.spreadMs;
    if (isHeld && !isTooLong && guest.hold?.expectedAt === expectedAt(limit)) return undefined;
    endHold(guest, time);
    if (!isHeld) return undefined;
    if (isTooLong) return giveUp(guest);
    const callOff = every(pace.noticeMs, () => {
      settle(state); // a computer that slept has its timers late
      tellWait(guest);
    });
    guest.hold = { since: time, expectedAt: expectedAt(limit), callOff };
    return () => tellWait(guest);
  }

  function endHold(guest: Guest, time: number): void {
    if (!guest.hold) return;
    guest.hold.callOff();
    guest.waitedMs = waitedBy(guest, time);
    delete guest.hold;
  }

  function tellWait(guest: Guest): void {
    if (!guest.hold || !state.limit) return;
    guest.waitsFor = state.limit.window;
    guest.listener.onWaiting?.(waitFor(state.limit, now()));
  }

  function giveUp(guest: Guest): () => void {
    const { pending, maxWaitMs, id } = guest;
    delete guest.pending;
    const error = pending?.refusal ?? (state.limit && tooLongToWait(state.limit, maxWaitMs, now()));
    state = leave(state, id);
    return () => pending?.reject(error);
  }

  /** For when the window opens, or the host is to be asked. What else changes the queue settles by itself. */
  function setAlarm(time: number): void {
    callOffAlarm();
    const { limit } = state;
    const isAwaited = limit && limit.until > time && [...guests.values()].some(({ hold }) => hold);
    callOffAlarm = isAwaited ? startTimer(limit.until - time, () => settle(state)) : () => {};
  }

  return {
    get state() {
      return state;
    },
    has: (id) => guests.has(id),
    settle,
    queue(guest, next, refusal) {
      guests.set(guest.id, guest);
      guest.pending = { ...Promise.withResolvers<void>(), ...(refusal && { refusal }) };
      const { promise } = guest.pending;
      promise.catch(() => {}); // whoever left does not look any more
      settle(next);
      return promise;
    },
    dismiss(guest, next) {
      guests.delete(guest.id);
      endHold(guest, now());
      const { pending } = guest;
      delete guest.pending;
      settle(next);
      pending?.reject(stopped());
    },
  };
}

/** How long windows have held a run so far. */
function waitedBy({ waitedMs, hold }: Guest, time: number): number {
  return hold ? waitedMs + time - hold.since : waitedMs;
}

function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  return () => clearInterval(timer);
}
