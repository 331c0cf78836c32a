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
  /** Whether the run waits for a used-up window, instead of sending a request that fails. */
  readonly waits: boolean;
  /** The run that started this one through a tool. This field never changes. */
  readonly parent?: number;
  /** Set while the run is `borrowing`: the run that lends its slot, either the parent or a caller of the parent. */
  readonly lender?: number;
  /** `resting` means that the run waits for the user, without a slot. */
  readonly state: "queued" | "running" | "borrowing" | "resting";
  /** The number of the run's slot among all granted slots, and the bound's generation when it was granted. 0 before that. */
  readonly grant: number;
  readonly generation: number;
  /** Whether the host answered without a warning. */
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

/** Lowers the bound, because the host warned that a limit is near or briefly exceeded. */
export function applyWarning(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  if (!slot || slot.state === "queued") return state;
  return { ...change(state, id, { calm: false }), bound: warn(state.bound, slot.generation) };
}

/** Notes that the host answered. If the request was sent after the window had been used up, the window is open again. */
export function applyAnswer(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  if (!slot || slot.state === "queued") return state;
  const isNews = !slot.calm && slot.generation === state.bound.generation;
  const calmer = isNews ? change(state, id, { calm: true }) : state;
  return state.limit && slot.grant > state.limit.since ? withoutLimit(calmer) : calmer;
}

/** Notes that the host refused a run because a window is used up. If the run waits, it goes back to its place in the queue. */
export function applyRefusal(state: LimiterState, id: number, news: LimitNews, moment: Moment): LimiterState {
  const slot = find(state, id);
  if (!slot || slot.state === "queued") return state;
  const limit = newLimit(state, slot, news, moment);
  if (!slot.waits) return { ...state, limit };
  const requeued: Partial<Slot> = { state: "queued", calm: false };
  return change({ ...handOver(state, slot), limit }, id, requeued);
}

/** Frees the slot of a run that waits for the user. */
export function rest(state: LimiterState, id: number): LimiterState {
  const slot = find(state, id);
  return slot && hasSlot(slot) ? endProbe(change(handOver(state, slot), id, { state: "resting" }), id) : state;
}

/** Puts a run back to its place in the queue, because the user has answered. */
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

/** Whether a run waits because a window is used up. */
export function isHeld(state: LimiterState, id: number): boolean {
  const slot = find(state, id);
  return slot !== undefined && slot.state === "queued" && stays(slot, state);
}

/** Returns the number of a run's slot among all granted slots; 0 before it has one. */
export function grantOf(state: LimiterState, id: number): number {
  return find(state, id)?.grant ?? 0;
}

/** Counts the runs with a slot, without borrowers. */
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

/** Whether a run may send a request although the opening time is unknown. The other runs wait for its answer. */
function mayProbe({ limit }: LimiterState, now: number): boolean {
  return limit !== undefined && limit.resetsAt === undefined && limit.probe === undefined && limit.until <= now;
}

/**
 * Finds the run that can lend its slot to this one: the nearest caller with a slot, if that slot is not lent yet. A caller can lend it
 * because it waits for its tool.
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

/** Gives the slot of a run that leaves to the run that borrows it. */
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

/** Lets the next run probe if the probing run ends without an answer. */
function endProbe(state: LimiterState, id: number): LimiterState {
  if (state.limit?.probe !== id) return state;
  const { probe: _ended, ...limit } = state.limit;
  return { ...state, limit };
}

/** Removes the limit, because the window has opened again. */
export function withoutLimit({ limit: _over, ...state }: LimiterState): LimiterState {
  return state;
}

function find({ slots }: LimiterState, id: number): Slot | undefined {
  return slots.find((slot) => slot.id === id);
}

/** Changes a slot. Removes the lender unless the run borrows. */
function change(state: LimiterState, id: number, fields: Partial<Slot>): LimiterState {
  const changed = (slot: Slot): Slot => {
    const next = { ...slot, ...fields };
    const { lender: _none, ...rest } = next;
    return next.state === "borrowing" ? next : rest;
  };
  return { ...state, slots: state.slots.map((slot) => (slot.id === id ? changed(slot) : slot)) };
}
