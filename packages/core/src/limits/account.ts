import { isBridleError, type Logger, omitUndefined, silentLogger, type UsageLimitError } from "@bridle/protocol";
import type { LimitOptions } from "./limit-options.ts";
import { createLimitStore, type LimitStore } from "./limit-store.ts";
import * as states from "./limiter-state.ts";
import { enclosingPermits, type Permit, type PermitListener, runInside, stopped } from "./permit.ts";
import { defaultPace, type LimitNews, type LimitPace, type Moment } from "./used-up.ts";
import { type Waiter, WaitQueue } from "./wait-queue.ts";

export interface AccountOptions {
  /** The folder that stores a used-up window for the next process. The first folder for an account counts. Default: none. */
  limitsFolder?: string | undefined;
  logger?: Logger | undefined;
  /** The intervals of a wait, for tests. */
  limitPace?: Partial<LimitPace> | undefined;
  now?: () => number;
  /** From 0 to 1. */
  random?: () => number;
}

/** The state that all users of one account share within a process: the queue at its host, and its known windows. */
export class Account {
  readonly #account: string;
  readonly #pace: LimitPace;
  readonly #now: () => number;
  readonly #random: () => number;
  readonly #queue: WaitQueue;
  readonly #ids = new WeakMap<Permit, number>();
  #store: LimitStore | undefined;
  #isStored = false;
  #lastId = 0;

  constructor(account: string, { limitPace, now = Date.now, random = Math.random }: AccountOptions) {
    this.#account = account;
    this.#pace = { ...defaultPace, ...limitPace };
    this.#now = now;
    this.#random = random;
    this.#queue = new WaitQueue(states.emptyState(1), this.#pace, now);
  }

  /** Sets how many runs may ask the host at a time. */
  setMax(maxConcurrency: number): void {
    this.#queue.settle(states.setMax(this.#queue.state, maxConcurrency));
  }

  /** Reads the limits that an earlier process stored. Has no effect once a folder is known. */
  keepIn({ limitsFolder, logger = silentLogger }: AccountOptions): void {
    if (this.#store || limitsFolder === undefined) return;
    this.#store = createLimitStore(limitsFolder, this.#account, logger);
    const known = this.#store.read(this.#now());
    this.#isStored = known !== undefined;
    if (known) this.#queue.settle(states.restoreLimit(this.#queue.state, known, this.#moment()));
  }

  permit({ onUsageLimit, maxWaitMs }: Required<LimitOptions>, listener: PermitListener): Permit {
    this.#lastId += 1;
    const id = this.#lastId;
    const parent = this.#parent();
    const waits = onUsageLimit === "wait";
    const waiter: Waiter = { id, listener, waits, maxWaitMs, waitedMs: 0, left: false };
    const permit: Permit = {
      enter: async () => {
        if (waiter.left) throw stopped();
        const slot = { id, waits, ...omitUndefined({ parent }) };
        return this.#queue.queue(waiter, states.arrive(this.#queue.state, slot));
      },
      awaitLimit: (error) => this.#awaitLimit(waiter, error),
      warned: () => this.#queue.settle(states.applyWarning(this.#queue.state, id)),
      answered: () => this.#answered(id),
      inside: (work) => runInside(permit, work),
      leave: (error) => this.#leave(waiter, error),
    };
    this.#ids.set(permit, id);
    return permit;
  }

  async #awaitLimit(waiter: Waiter, error: UsageLimitError): Promise<void> {
    if (waiter.left) throw stopped();
    const next = this.#refuse(waiter.id, error);
    if (states.isHeld(next, waiter.id)) return this.#queue.queue(waiter, next, error);
    this.#queue.settle(next);
    throw error;
  }

  #answered(id: number): void {
    const { state } = this.#queue;
    const next = states.applyAnswer(state, id);
    if (this.#isStored && !next.limit) this.#forget();
    if (next !== state) this.#queue.settle(next);
  }

  /** The state after a refusal; it is on disk before any waiter is notified. */
  #refuse(id: number, error: UsageLimitError): states.LimiterState {
    const { state } = this.#queue;
    const next = states.applyRefusal(state, id, limitFrom(error), this.#moment());
    const { limit } = next;
    if (limit?.resetsAt !== undefined && limit !== state.limit) {
      this.#store?.write({ window: limit.window, resetsAt: limit.resetsAt });
      this.#isStored = true;
    }
    return next;
  }

  #forget(): void {
    this.#isStored = false;
    this.#store?.clear();
  }

  #leave(waiter: Waiter, error?: unknown): void {
    if (waiter.left) return;
    waiter.left = true;
    let next = this.#queue.state;
    if (isUsageLimit(error)) next = this.#refuse(waiter.id, error);
    else if (isBridleError(error) && error.code === "rate_limit") next = states.applyWarning(next, waiter.id);
    this.#queue.dismiss(waiter, states.leave(next, waiter.id));
  }

  /** The innermost run of this account whose tool is running around this call, if it has not left. */
  #parent(): number | undefined {
    const enclosing = enclosingPermits().flatMap((permit) => this.#ids.get(permit) ?? []);
    return enclosing.findLast((id) => this.#queue.has(id));
  }

  #moment(): Moment {
    return { now: this.#now(), random: this.#random(), pace: this.#pace };
  }
}

/** True for errors of another copy of this package too. */
export function isUsageLimit(error: unknown): error is UsageLimitError {
  return isBridleError(error) && error.code === "usage_limit";
}

function limitFrom({ window, resetsAt }: UsageLimitError): LimitNews {
  return { window: window ?? "subscription", ...omitUndefined({ resetsAt: resetsAt?.getTime() }) };
}
