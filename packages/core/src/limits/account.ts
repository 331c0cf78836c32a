/** What all users of one account within a process share: the queue at its host, and what is known of its windows. */
import { isBridleError, type Logger, silentLogger, type UsageLimitError } from "@bridle/protocol";
import type { LimitOptions } from "./limit-options.ts";
import { createLimitStore, type LimitStore } from "./limit-store.ts";
import * as states from "./limiter-state.ts";
import { insideOf, type Permit, type SeatListener, seatsAround, stopped } from "./permit.ts";
import { defaultPace, type LimitNews, type LimitPace } from "./used-up.ts";
import { createWaitQueue, type Guest } from "./wait-queue.ts";

export interface AccountOptions {
  /** Where a used-up window is kept for the next process; the first folder named for an account counts. Default: none. */
  limitsFolder?: string;
  logger?: Logger;
  /** The times of a wait, for tests. */
  limitPace?: Partial<LimitPace>;
  now?: () => number;
  /** From 0 to 1. */
  random?: () => number;
}

export interface Account {
  /** How many may ask at a time. */
  setMax(maxConcurrency: number): void;
  /** Reads what an earlier process was told. Without effect once a folder is known. */
  keepIn(options: AccountOptions): void;
  permit(limits: Required<LimitOptions>, listener: SeatListener): Permit;
}

export function createAccount(account: string, options: AccountOptions): Account {
  const { limitPace, now = Date.now, random = Math.random } = options;
  const pace = { ...defaultPace, ...limitPace };
  const room = createWaitQueue(states.emptyState(1), pace, now);
  const ids = new WeakMap<Permit, number>();
  let store: LimitStore | undefined;
  let isStored = false;
  let lastId = 0;

  const moment = () => ({ now: now(), random: random(), pace });

  /** The state after a refusal; on disk before anybody is told. */
  function refuse(id: number, error: UsageLimitError): states.GovernorState {
    const next = states.refused(room.state, id, newsOf(error), moment());
    const { limit } = next;
    if (limit?.resetsAt !== undefined && limit !== room.state.limit) {
      store?.write({ window: limit.window, resetsAt: limit.resetsAt });
      isStored = true;
    }
    return next;
  }

  function forget(): void {
    isStored = false;
    store?.clear();
  }

  function leave(guest: Guest, error?: unknown): void {
    if (guest.left) return;
    guest.left = true;
    let next = room.state;
    if (isUsageLimit(error)) next = refuse(guest.id, error);
    else if (isBridleError(error) && error.code === "rate_limit") next = states.warned(next, guest.id);
    room.dismiss(guest, states.leave(next, guest.id));
  }

  /** The innermost run of this account in whose tool we are, and which is still there. */
  function lender(): number | undefined {
    const around = seatsAround().flatMap((permit) => ids.get(permit) ?? []);
    return around.findLast((id) => room.has(id));
  }

  function createSeat({ onUsageLimit, maxWaitMs }: Required<LimitOptions>, listener: SeatListener): Permit {
    lastId += 1;
    const id = lastId;
    const under = lender();
    const waits = onUsageLimit === "wait";
    const guest: Guest = { id, listener, waits, maxWaitMs, waitedMs: 0, left: false };
    const permit: Permit = {
      async enter() {
        if (guest.left) throw stopped();
        const place = { id, waits, ...(under === undefined ? {} : { under }) };
        return room.queue(guest, states.arrive(room.state, place));
      },
      async awaitLimit(error) {
        if (guest.left) throw stopped();
        const next = refuse(id, error);
        if (states.isHeld(next, id)) return room.queue(guest, next, error);
        room.settle(next);
        throw error;
      },
      warned: () => room.settle(states.warned(room.state, id)),
      answered() {
        const { state } = room;
        const next = states.answered(state, id);
        if (isStored && !next.limit) forget();
        if (next !== state) room.settle(next);
      },
      inside: (work) => insideOf(permit, work),
      leave: (error) => leave(guest, error),
    };
    ids.set(permit, id);
    return permit;
  }

  return {
    setMax: (maxConcurrency) => room.settle(states.setMax(room.state, maxConcurrency)),
    keepIn({ limitsFolder, logger = silentLogger }) {
      if (store || limitsFolder === undefined) return;
      store = createLimitStore(limitsFolder, account, logger);
      const known = store.read(now());
      isStored = known !== undefined;
      if (known) room.settle(states.remembered(room.state, known, moment()));
    },
    permit: createSeat,
  };
}

/** Also one of another copy of this package. */
export function isUsageLimit(error: unknown): error is UsageLimitError {
  return isBridleError(error) && error.code === "usage_limit";
}

function newsOf({ window, resetsAt }: UsageLimitError): LimitNews {
  return { window: window ?? "subscription", ...(resetsAt === undefined ? {} : { resetsAt: resetsAt.getTime() }) };
}
