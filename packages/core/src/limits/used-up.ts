/** Tracks a subscription window that is used up. All functions are pure. */

/** A used-up window as its host reports it. `resetsAt` is in milliseconds since the epoch, and missing if the host does not report it. */
export interface LimitNews {
  readonly window: string;
  readonly resetsAt?: number;
}

export interface UsedUp extends LimitNews {
  /** When waiting runs go on: all of them if the window opens then, or one run that probes the host. */
  readonly until: number;
  /** The number of granted slots when the window became known. Runs with a lower number sent their requests before that. */
  readonly since: number;
  /** How many probes the host has refused in a row without reporting a time that lies ahead. */
  readonly probes: number;
  /** The run that probes the host now. */
  readonly probe?: number;
}

/** How long runs wait, and how often they report the wait, in milliseconds. */
export interface LimitPace {
  /** The time between two `limit.waiting` events of a run. */
  noticeMs: number;
  /** The maximum of a random delay after the reset, so that processes do not all send requests at the same instant. */
  spreadMs: number;
  /** The time until the next probe if the host does not report when the window opens. It doubles each time, up to `maxProbeMs`. */
  probeMs: number;
  maxProbeMs: number;
}

export const defaultPace: LimitPace = { noticeMs: 30_000, spreadMs: 2_000, probeMs: 30_000, maxProbeMs: 900_000 };

export interface Moment {
  now: number;
  /** A number from 0 to 1. */
  random: number;
  pace: LimitPace;
}

/** Creates the window's state after a host refused a run. `probes` counts refusals in a row without a time that lies ahead. */
export function usedUp({ window, resetsAt }: LimitNews, since: number, probes: number, moment: Moment): UsedUp {
  const { now, random, pace } = moment;
  if (resetsAt !== undefined && resetsAt > now) {
    return { window, resetsAt, until: resetsAt + random * pace.spreadMs, since, probes: 0 };
  }
  return { window, until: now + Math.min(pace.probeMs * 2 ** probes, pace.maxProbeMs), since, probes };
}

/**
 * Adds a refusal of a run that had sent its request before the window was known to be used up. Only a later reset time changes the state.
 */
export function alsoRefused(limit: UsedUp, news: LimitNews, moment: Moment): UsedUp {
  if (news.resetsAt === undefined || news.resetsAt <= (limit.resetsAt ?? moment.now)) return limit;
  return usedUp(news, limit.since, 0, moment);
}

/** Returns the time until a waiting run may expect to go on, in milliseconds. */
export function leftOf(limit: UsedUp, now: number): number {
  return Math.max(0, expectedAt(limit) - now);
}

/** Returns when a waiting run may expect to go on, without the random delay. */
export function expectedAt({ resetsAt, until }: UsedUp): number {
  return resetsAt ?? until;
}
