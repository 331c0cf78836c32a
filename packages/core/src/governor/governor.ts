/**
 * The governor of an account: one within a process, shared by all runtimes that use the account. It bounds how many
 * runs ask the host at a time, and holds them while a subscription window is used up.
 */
import { type Account, type AccountOptions, createAccount, isUsageLimit } from "./account.ts";
import { checkLimits, type LimitOptions } from "./limit-options.ts";
import { type Seat, type SeatListener, stopped } from "./seat.ts";

export interface GovernorOptions extends AccountOptions {
  limits?: LimitOptions;
}

/** One user's part of an account's governor. */
export interface Governor {
  /** For one run, which enters and leaves by itself. */
  seat(listener?: SeatListener): Seat;
  /**
   * Calls `work` when the account has room, and again after a used-up window where the owner waits. Rejects with what
   * `work` rejects with, and with a StoppedError when `signal` is aborted while it waits.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Stops what waits here, and forgets the account when nobody else uses it. */
  close(): void;
}

interface SharedAccount extends Account {
  /** The `maxConcurrency` of each user; the smallest holds for all. */
  readonly users: Map<Governor, number>;
}

const accounts = new Map<string, SharedAccount>();

/**
 * The governor of an account; call `close()` when done. Throws ConfigError for limits that make no sense.
 *
 * @example
 * const governor = governorFor(embedder.account, { limits: { maxConcurrency: 2 } });
 * const vectors = await governor.run(() => embedder.embed(texts), signal);
 * governor.close();
 */
export function governorFor(account: string, options: GovernorOptions = {}): Governor {
  const limits = checkLimits(options.limits);
  const shared = accounts.get(account) ?? { ...createAccount(account, options), users: new Map() };
  accounts.set(account, shared);
  shared.keepIn(options);
  const seats = new Set<Seat>();

  function seat(listener: SeatListener = {}): Seat {
    const taken = shared.seat(limits, listener);
    const own: Seat = {
      ...taken,
      leave(error) {
        seats.delete(own);
        taken.leave(error);
      },
    };
    seats.add(own);
    return own;
  }

  const governor: Governor = {
    seat,
    run: (work, signal) => occupy(seat(), work, signal),
    close() {
      for (const each of seats) each.leave();
      shared.users.delete(governor);
      if (shared.users.size > 0) shared.setMax(Math.min(...shared.users.values()));
      else if (accounts.get(account) === shared) accounts.delete(account);
    },
  };
  shared.users.set(governor, limits.maxConcurrency);
  shared.setMax(Math.min(...shared.users.values()));
  return governor;
}

async function occupy<T>(seat: Seat, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const stop = () => seat.leave();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    if (signal?.aborted) throw stopped();
    await seat.enter();
    const value = await untilAnswered(seat, work);
    seat.leave();
    return value;
  } catch (error) {
    seat.leave(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function untilAnswered<T>(seat: Seat, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const value = await seat.inside(work);
      seat.answered();
      return value;
    } catch (error) {
      if (!isUsageLimit(error)) throw error;
      await seat.awaitLimit(error);
    }
  }
}
