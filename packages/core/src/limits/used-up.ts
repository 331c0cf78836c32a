/** The information about a subscription window that is used up. Pure. */

/** A used-up window as its host reports it; `resetsAt` in milliseconds since the epoch, if it is known. */
export interface LimitNews {
  readonly window: string;
  readonly resetsAt?: number;
}

export interface UsedUp extends LimitNews {
  /** When waiting runs go on: all of them when the window has opened again, or one that asks. */
  readonly until: number;
  /** Runs that were let through before this, by their admission, asked before the window was known to be used up. */
  readonly since: number;
  /** How often the host was asked in vain since the time of the reset is not known. */
  readonly probes: number;
  /** The run that is asking. */
  readonly probe?: number;
}

/** How long runs wait, and how often they report it; in milliseconds. */
export interface LimitPace {
  /** Between two `limit.waiting` of a run. */
  noticeMs: number;
  /** At most this much later than the reset, chosen at random, so that not every process asks at the same instant. */
  spreadMs: number;
  /** The time until the host is asked again if it does not report when the window opens. Doubled each time, up to `maxProbeMs`. */
  probeMs: number;
  maxProbeMs: number;
}

export const defaultPace: LimitPace = { noticeMs: 30_000, spreadMs: 2_000, probeMs: 30_000, maxProbeMs: 900_000 };

export interface Moment {
  now: number;
  /** From 0 to 1. */
  random: number;
  pace: LimitPace;
}

/** The window after a host refused a run; `probes` counts refusals in a row without a time that lies ahead. */
export function usedUp({ window, resetsAt }: LimitNews, since: number, probes: number, moment: Moment): UsedUp {
  const { now, random, pace } = moment;
  if (resetsAt !== undefined && resetsAt > now) {
    return { window, resetsAt, until: resetsAt + random * pace.spreadMs, since, probes: 0 };
  }
  return { window, until: now + Math.min(pace.probeMs * 2 ** probes, pace.maxProbeMs), since, probes };
}

/** A refusal of a run that had asked before the window was known to be used up: at most a later time of the reset. */
export function alsoRefused(limit: UsedUp, news: LimitNews, moment: Moment): UsedUp {
  if (news.resetsAt === undefined || news.resetsAt <= (limit.resetsAt ?? moment.now)) return limit;
  return usedUp(news, limit.since, 0, moment);
}

/** The time until a waiting run may expect to go on, in milliseconds. */
export function leftOf(limit: UsedUp, now: number): number {
  return Math.max(0, expectedAt(limit) - now);
}

/** When a waiting run may expect to go on, without the random part. */
export function expectedAt({ resetsAt, until }: UsedUp): number {
  return resetsAt ?? until;
}
