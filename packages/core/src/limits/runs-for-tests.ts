import { UsageLimitError } from "@bridle/protocol";
import { onTestFinished, vi } from "vitest";
import { type AccountLimiter, type AccountLimiterOptions, accountLimiterFor } from "./account-limiter.ts";
import type { LimitWait, Permit } from "./permit.ts";

export const start = Date.UTC(2026, 0, 1);
export const minute = 60_000;

export function use(options: AccountLimiterOptions = {}, account = "ada"): AccountLimiter {
  const limiter = accountLimiterFor(account, { random: () => 0.5, ...options });
  onTestFinished(() => limiter.close());
  return limiter;
}

export const waiting = (limits = {}): AccountLimiterOptions => ({ limits: { onUsageLimit: "wait", ...limits } });

/** Starts a run that requests its permit immediately, and records all the run's notifications in order. */
export function arrive(limiter: Pick<AccountLimiter, "permit">) {
  const told: unknown[] = [];
  const permit: Permit = limiter.permit({
    onWaiting: (wait: LimitWait) => told.push(wait.remainingMs),
    onCleared: (window) => told.push(`${window} cleared`),
  });
  const note = (what: string) => (error: unknown) => told.push(error instanceof Error ? error.name : what);
  permit.enter().then(() => told.push("entered"), note("rejected"));
  const refuse = (error: UsageLimitError) => permit.awaitLimit(error).then(() => told.push("again"), note("rejected"));
  return { permit, told, refuse };
}

export const usedUp = (ms?: number) =>
  new UsageLimitError("Used up.", { window: "five_hour", ...(ms !== undefined && { resetsAt: new Date(start + ms) }) });
export const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
