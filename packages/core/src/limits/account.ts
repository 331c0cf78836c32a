import { isBridleError, omitUndefined, type UsageLimitError } from "@bridle/protocol";
import type { KnownWindows } from "./known-windows.ts";
import type { LimitOptions } from "./limit-options.ts";
import * as states from "./limiter-state.ts";
import { enclosingPermits, type Permit, type PermitListener, runInside, stopped } from "./permit.ts";
import { defaultPace, type LimitNews, type LimitPace, type Moment } from "./used-up.ts";
import { type Waiter, WaitQueue } from "./wait-queue.ts";

export interface AccountOptions {
  /** The intervals of a wait, for tests. */
  limitPace?: Partial<LimitPace> | undefined;
  now?: () => number;
  /** Returns a number from 0 to 1. */
  random?: () => number;
}

/** The state that all users of one account share within a process: the queue at its host, and its known windows. */
export class Account {
  readonly #pace: LimitPace;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #queue: WaitQueue;
  readonly #ids = new WeakMap<Permit, number>();
  /** An entry for each user that shares windows with other processes. */
  readonly #known = new Set<KnownWindows>();
  #lastId = 0;

  constructor({ limitPace, now = Date.now, random = Math.random }: AccountOptions) {
    this.#pace = { ...defaultPace, ...limitPace };
    this.#now = now;
    this.#random = random;
    this.#queue = new WaitQueue(states.emptyState(1), this.#pace, now);
  }

  /** Sets how many runs may send requests to the host at a time. */
  setMax(maxConcurrency: number): void {
    this.#queue.settle(states.setMax(this.#queue.state, maxConcurrency));
  }

  /** Reports used-up windows to the processes of this event log from now on. */
  join(known: KnownWindows): void {
    this.#known.add(known);
  }

  /** Stops reporting to these processes. Resolves when nothing is being written for them. */
  async part(known: KnownWindows): Promise<void> {
    this.#known.delete(known);
    await known.settled();
  }

  /** Creates a permit for a run. The permit first reads the windows that other processes know. */
  permit({ onUsageLimit, maxWaitMs }: Required<LimitOptions>, listener: PermitListener, known?: KnownWindows): Permit {
    this.#lastId += 1;
    const id = this.#lastId;
    const parent = this.#parent();
    const waits = onUsageLimit === "wait";
    const waiter: Waiter = { id, listener, waits, maxWaitMs, waitedMs: 0, left: false, rests: 0 };
    const permit: Permit = {
      enter: async () => {
        if (known) await this.#learn(known);
        if (waiter.left) throw stopped();
        const slot = { id, waits, ...omitUndefined({ parent }) };
        return this.#queue.queue(waiter, states.arrive(this.#queue.state, slot));
      },
      rest: () => this.#rest(waiter, known),
      awaitLimit: (error) => this.#awaitLimit(waiter, error),
      warned: () => this.#queue.settle(states.applyWarning(this.#queue.state, id)),
      answered: () => this.#answered(id),
      inside: (work) => runInside(permit, work),
      leave: (error) => this.#leave(waiter, error),
    };
    this.#ids.set(permit, id);
    return permit;
  }

  #rest(waiter: Waiter, known: KnownWindows | undefined): () => Promise<void> {
    waiter.rests += 1;
    this.#queue.settle(states.rest(this.#queue.state, waiter.id));
    let isOver = false;
    return async () => {
      if (isOver) return;
      isOver = true;
      waiter.rests -= 1;
      if (waiter.rests === 0) await this.#wake(waiter, known);
    };
  }

  async #wake(waiter: Waiter, known: KnownWindows | undefined): Promise<void> {
    if (known) await this.#learn(known);
    if (waiter.left) throw stopped();
    if (waiter.rests > 0) return; // the run waits for the user's next answer
    const { state } = this.#queue;
    if (states.isResting(state, waiter.id)) await this.#queue.queue(waiter, states.wake(state, waiter.id));
    else await waiter.pending?.promise; // the host has since refused the run, or the end of an earlier question has woken it
    if (waiter.rests > 0) this.#queue.settle(states.rest(this.#queue.state, waiter.id)); // the run has since asked the user again
  }

  /** Adopts the windows that other processes know. Only this method compares a window with this machine's clock. */
  async #learn(known: KnownWindows): Promise<void> {
    const { before, now } = await known.look(this.#queue.state.grants);
    const { state } = this.#queue;
    const resetsAt = state.limit?.resetsAt;
    if (now !== undefined && now.resetsAt > Math.max(this.#now(), resetsAt ?? 0))
      this.#queue.settle(states.restoreLimit(state, now, this.#moment()));
    else if (now === undefined && before !== undefined && before.resetsAt === resetsAt)
      this.#queue.settle(states.withoutLimit(state)); // the host has answered another process
  }

  /** Shares a window without comparing it with the clock, because other machines' clocks differ. */
  async #share({ window, resetsAt }: LimitNews): Promise<void> {
    if (resetsAt === undefined) return;
    const { grants } = this.#queue.state;
    await Promise.all([...this.#known].map((known) => known.add({ window, resetsAt }, grants)));
  }

  /** Waits until a used-up window opens. Other processes know the window before any waiter is notified. */
  async #awaitLimit(waiter: Waiter, error: UsageLimitError): Promise<void> {
    if (this.#known.size > 0) await this.#share(limitFrom(error));
    if (waiter.left) throw stopped();
    const next = this.#refuse(waiter.id, error);
    if (states.isHeld(next, waiter.id)) return this.#queue.queue(waiter, next, error);
    this.#queue.settle(next);
    throw error;
  }

  #answered(id: number): void {
    const { state } = this.#queue;
    const next = states.applyAnswer(state, id);
    if (!next.limit) for (const known of this.#known) void known.forget(states.grantOf(state, id));
    if (next !== state) this.#queue.settle(next);
  }

  #refuse(id: number, error: UsageLimitError): states.LimiterState {
    return states.applyRefusal(this.#queue.state, id, limitFrom(error), this.#moment());
  }

  #leave(waiter: Waiter, error?: unknown): void {
    if (waiter.left) return;
    waiter.left = true;
    let next = this.#queue.state;
    if (isUsageLimit(error)) {
      next = this.#refuse(waiter.id, error);
      void this.#share(limitFrom(error));
    } else if (isBridleError(error) && error.code === "rate_limit") next = states.applyWarning(next, waiter.id);
    this.#queue.dismiss(waiter, states.leave(next, waiter.id));
  }

  /** Returns the innermost run of this account whose running tool makes this call, unless the run has left. */
  #parent(): number | undefined {
    const enclosing = enclosingPermits().flatMap((permit) => this.#ids.get(permit) ?? []);
    return enclosing.findLast((id) => this.#queue.has(id));
  }

  #moment(): Moment {
    return { now: this.#now(), random: this.#random(), pace: this.#pace };
  }
}

/** Returns true for errors of another copy of this package, too. */
export function isUsageLimit(error: unknown): error is UsageLimitError {
  return isBridleError(error) && error.code === "usage_limit";
}

function limitFrom({ window, resetsAt }: UsageLimitError): LimitNews {
  return { window: window ?? "subscription", ...omitUndefined({ resetsAt: resetsAt?.getTime() }) };
}
