/**
 * Which runs may send requests to the host of one account, and which have to wait. Pure: every function returns a new state.
 * Only `letThrough` decides which runs continue.
 */
import { omitUndefined } from "@bridle/protocol";
import { type AdaptiveBound, endWell, fullBound, warn, withMax } from "./adaptive-bound.ts";
import { alsoRefused, type LimitNews, type Moment, type UsedUp, usedUp } from "./used-up.ts";

/** A run between its arrival and its end. */
export interface Slot {
  readonly id: number;
  /** Waits for a used-up window, instead of asking and failing. */
  readonly waits: boolean;
  /** The run that started this one through a tool. It never changes. */
  readonly parent?: number;
  /** While it is `borrowing`: the run that lends its slot, which is its parent or a caller of its parent. */
  readonly lender?: number;
  /** `resting`: it waits for the user, and needs no slot meanwhile. */
  readonly state: "queued" | "running" | "borrowing" | "resting";
  /** Its number among all granted slots, and the bound's generation at that moment; 0 before. */
  readonly grant: number;
  readonly generation: number;
  /** The host answered without a warning. */
  readonly calm: boolean;
}

export interface LimiterState {
  readonly bound: AdaptiveBound;
  /** The number of granted slots. */
  readonly grants: number;
  /** In the order of their arrival. */
  readonly slots: readonly Slot[];
  readonly limit?: UsedUp;
}

export function emptyState(maxConcurrency: number): LimiterState {
  return { bound: fullBound(maxConcurrency), grants: 0, slots: [] };
}

export function setMax(state: LimiterState, maxConcurrency: number): LimiterState {
  return { ...state, bound: withMax(state.bound, maxConcurrency) };
}

export function arrive(state: LimiterState, { id, waits, parent }: Pick<Slot, "id" | "waits" | "parent">) {
  const slot: Slot = {
    id,
    waits,
    state: "queued",
    grant: 0,
    generation: 0,
    calm: false,
    ...omitUndefined({ parent }),
  };
  return { ...state, slots: [...state.slots, slot] };
}

/** Removes a run that has ended or stopped waiting. */
export function leave(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  if (!slot) return state;
  const { slots, bound } = handOver(state, slot);
  return endProbe(
    {
      ...state,
      bound: slot.calm ? endWell(bound, slot.generation) : bound,
      slots: slots.filter((each) => each.id !== id),
    },
    id,
  );
}

/** The host is near its limit, or over it for a moment. */
export function applyWarning(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  if (!slot || slot.state === "queued") return state;
  return { ...change(state, id, { calm: false }), bound: warn(state.bound, slot.generation) };
}

/** The host answered: a window that it was asked for after it had been used up is open again. */
export function applyAnswer(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  if (!slot || slot.state === "queued") return state;
  const isNews = !slot.calm && slot.generation === state.bound.generation;
  const calmer = isNews ? change(state, id, { calm: true }) : state;
  return state.limit && slot.grant > state.limit.since ? withoutLimit(calmer) : calmer;
}

/** The host refused, since a window is used up. A run that waits goes back to its slot in the queue. */
export function applyRefusal(state: LimiterState, id: number, news: LimitNews, moment: Moment): LimiterState {
  const slot = find(state, id);
  if (!slot || slot.state === "queued") return state;
  const limit = newLimit(state, slot, news, moment);
  if (!slot.waits) return { ...state, limit };
  const requeued: Partial<Slot> = { state: "queued", calm: false };
  return change({ ...handOver(state, slot), limit }, id, requeued);
}

/** The run waits for the user, so others may use its slot. */
export function rest(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  return slot && hasSlot(slot) ? endProbe(change(handOver(state, slot), id, { state: "resting" }), id) : state;
}

/** The user has answered: the run goes back to its place in the queue. */
export function wake(state: LimiterState, id: number): LimiterState {
  return isResting(state, id) ? change(state, id, { state: "queued" }) : state;
}

export function isResting(state: LimiterState, id: number): boolean {
  return find(state, id)?.state === "resting";
}

/** Adopts a used-up window that another process stored. */
export function restoreLimit(state: LimiterState, news: LimitNews, moment: Moment): LimiterState {
  return { ...state, limit: usedUp(news, state.grants, 0, moment) };
}

/** Removes the limit if the reported time has come. */
export function reopen(state: LimiterState, now: number): LimiterState {
  const { limit } = state;
  return limit?.resetsAt !== undefined && limit.until <= now ? withoutLimit(state) : state;
}

/** Grants slots to all runs that may continue now, in the order of arrival. */
export function letThrough(state: LimiterState, now: number): { state: LimiterState; ids: number[] } {
  const ids: number[] = [];
  let next = state;
  let free = state.bound.bound - running(state);
  for (const slot of state.slots) {
    if (slot.state !== "queued" || (stays(slot, next) && !mayProbe(next, now))) continue;
    const lender = findLender(next, slot);
    if (lender === undefined && free <= 0) continue;
    if (lender === undefined) free -= 1;
    next = grantSlot(next, slot, lender);
    ids.push(slot.id);
  }
  return { state: next, ids };
}

/** True while a run waits because a window is used up. */
export function isHeld(state: LimiterState, id: number): boolean {
  const slot = find(state, id);
  return slot !== undefined && slot.state === "queued" && stays(slot, state);
}

/** The number of a run's request among all; 0 before it. */
export function grantOf(state: LimiterState, id: number): number {
  return find(state, id)?.grant ?? 0;
}

/** The number of runs with a slot, without borrowers. */
export function running({ slots }: LimiterState): number {
  return slots.reduce((count, { state }) => count + (state === "running" ? 1 : 0), 0);
}

function stays({ waits }: Slot, { limit }: LimiterState): boolean {
  return waits && limit !== undefined;
}

function grantSlot(state: LimiterState, slot: Slot, lender: number | undefined): LimiterState {
  const { id } = slot;
  const { limit, bound } = state;
  const grant = state.grants + 1;
  const as = lender === undefined ? ({ state: "running" } as const) : ({ state: "borrowing", lender } as const);
  const through = change(state, id, { ...as, grant, generation: bound.generation, calm: false });
  return { ...through, grants: grant, ...(limit && stays(slot, state) && { limit: { ...limit, probe: id } }) };
}

/** If the opening time is unknown, one run sends a request; the others wait for its answer. */
function mayProbe({ limit }: LimiterState, now: number): boolean {
  return limit !== undefined && limit.resetsAt === undefined && limit.probe === undefined && limit.until <= now;
}

/**
 * The run that can lend its slot to this one: the nearest of its callers with a slot, if the slot is not lent yet. Meanwhile all callers
 * wait for their tools.
 */
function findLender(state: LimiterState, { parent }: Slot): number | undefined {
  const caller = parent === undefined ? undefined : find(state, parent);
  if (caller === undefined) return undefined;
  if (!hasSlot(caller)) return findLender(state, caller);
  return findBorrower(state, caller) === undefined ? caller.id : undefined;
}

function hasSlot({ state }: Slot): boolean {
  return state === "running" || state === "borrowing";
}

function findBorrower({ slots }: LimiterState, { id }: Slot): Slot | undefined {
  return slots.find((slot) => slot.state === "borrowing" && slot.lender === id);
}

/** If a run leaves its slot, the borrower keeps it. */
function handOver(state: LimiterState, slot: Slot): LimiterState {
  const borrower = findBorrower(state, slot);
  if (!borrower || !hasSlot(slot)) return state;
  const { lender: _left, ...own } = borrower;
  const lender = slot.state === "borrowing" ? slot.lender : undefined;
  const next: Slot = { ...own, state: slot.state, ...omitUndefined({ lender }) };
  return { ...state, slots: state.slots.map((each) => (each.id === next.id ? next : each)) };
}

function newLimit({ limit, grants }: LimiterState, slot: Slot, news: LimitNews, moment: Moment): UsedUp {
  if (limit && slot.grant <= limit.since) return alsoRefused(limit, news, moment);
  const probes = limit?.probe === slot.id ? limit.probes + 1 : 0;
  return usedUp(news, grants, probes, moment);
}

/** If the probing run ends without an answer, the next run may probe. */
function endProbe(state: LimiterState, id: number): LimiterState {
  if (state.limit?.probe !== id) return state;
  const { probe: _ended, ...limit } = state.limit;
  return { ...state, limit };
}

/** The window has opened again. */
export function withoutLimit({ limit: _over, ...state }: LimiterState): LimiterState {
  return state;
}

function find({ slots }: LimiterState, id: number): Slot | undefined {
  return slots.find((slot) => slot.id === id);
}

/** Only a run that borrows has a lender. */
function change(state: LimiterState, id: number, fields: Partial<Slot>): LimiterState {
  const changed = (slot: Slot): Slot => {
    const next = { ...slot, ...fields };
    const { lender: _none, ...rest } = next;
    return next.state === "borrowing" ? next : rest;
  };
  return { ...state, slots: state.slots.map((slot) => (slot.id === id ? changed(slot) : slot)) };
}
