/**
 * The limiter of an account: one within a process, shared by all runtimes that use the account. It limits how many runs send requests to
 * the host at a time, and holds them while a subscription window is used up.
 */
import type { Logger, SharedLimits } from "@bridle/protocol";
import { Account, type AccountOptions, isUsageLimit } from "./account.ts";
import { KnownWindows } from "./known-windows.ts";
import { type LimitOptions, resolveLimitOptions } from "./limit-options.ts";
import { type Permit, type PermitListener, stopped } from "./permit.ts";

export interface AccountLimiterOptions extends AccountOptions {
  limits?: LimitOptions;
  /** Shares used-up windows with other processes. Default: this process finds out about them by itself. */
  sharedLimits?: SharedLimits | undefined;
  logger?: Logger | undefined;
}

/** One user's handle on an account's limiter. */
export interface AccountLimiter {
  /** Creates a permit for one run. The run calls the permit's `enter` and `leave`. */
  permit(listener?: PermitListener): Permit;
  /**
   * Calls `work` when the account has a free slot, and again after a used-up window if `onUsageLimit` is `wait`. Rejects with the error of
   * `work`, or with a StoppedError if `signal` is aborted during the wait.
   */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /**
   * Stops the waiting runs of this user immediately, and releases the account if it has no other user. Resolves when this process has
   * reported its used-up windows to other processes.
   */
  close(): Promise<void>;
}

interface SharedAccount {
  readonly account: Account;
  /** The `maxConcurrency` of each user. The smallest value applies to all. */
  readonly users: Map<AccountLimiter, number>;
}

const accounts = new Map<string, SharedAccount>();

/**
 * Returns a handle on the limiter of an account. Call its `close()` when you are done. Throws ConfigError for invalid limits.
 *
 * @example
 * const limiter = accountLimiterFor(embedder.account, { limits: { maxConcurrency: 2 } });
 * const vectors = await limiter.run(() => embedder.embed(texts), signal);
 * await limiter.close();
 */
export function accountLimiterFor(account: string, options: AccountLimiterOptions = {}): AccountLimiter {
  const limits = resolveLimitOptions(options.limits);
  const shared = accounts.get(account) ?? { account: new Account(options), users: new Map() };
  accounts.set(account, shared);
  const { sharedLimits, logger } = options;
  const known = sharedLimits && new KnownWindows(sharedLimits, account, logger);
  if (known) shared.account.join(known);
  const permits = new Set<Permit>();

  function permit(listener: PermitListener = {}): Permit {
    const taken = shared.account.permit(limits, listener, known);
    const own: Permit = {
      ...taken,
      leave(error) {
        permits.delete(own);
        taken.leave(error);
      },
    };
    permits.add(own);
    return own;
  }

  const limiter: AccountLimiter = {
    permit,
    run: (work, signal) => occupy(permit(), work, signal),
    async close() {
      for (const each of permits) each.leave();
      shared.users.delete(limiter);
      if (shared.users.size > 0) shared.account.setMax(Math.min(...shared.users.values()));
      else if (accounts.get(account) === shared) accounts.delete(account);
      if (known) await shared.account.part(known);
    },
  };
  shared.users.set(limiter, limits.maxConcurrency);
  shared.account.setMax(Math.min(...shared.users.values()));
  return limiter;
}

async function occupy<T>(permit: Permit, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const stop = () => permit.leave();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    if (signal?.aborted) throw stopped();
    await permit.enter();
    const value = await untilAnswered(permit, work);
    permit.leave();
    return value;
  } catch (error) {
    permit.leave(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function untilAnswered<T>(permit: Permit, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const value = await permit.inside(work);
      permit.answered();
      return value;
    } catch (error) {
      if (!isUsageLimit(error)) throw error;
      await permit.awaitLimit(error);
    }
  }
}
