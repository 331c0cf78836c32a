/**
 * Who may ask the host of one account now, and who has to wait. Pure: every function gives a new state, and
 * `letThrough` alone decides who goes on.
 */
import { type AdaptiveBound, endWell, fullBound, warn, withMax } from "./adaptive-bound.ts";
import { alsoRefused, type LimitNews, type Moment, type UsedUp, usedUp } from "./used-up.ts";

/** A run between its arrival and its end. */
export interface Place {
  readonly id: number;
  /** Waits for a used-up window, instead of asking and failing. */
  readonly waits: boolean;
  /** The run whose tool started this one: its slot may be used meanwhile. */
  readonly under?: number;
  readonly state: "queued" | "running" | "borrowing";
  /** Its number among all that were let through, and the bound's generation at that moment; 0 before. */
  readonly admission: number;
  readonly generation: number;
  /** The host answered it, and gave no warning. */
  readonly calm: boolean;
}

export interface GovernorState {
  readonly bound: AdaptiveBound;
  /** How many were let through. */
  readonly admissions: number;
  /** In the order of their arrival. */
  readonly places: readonly Place[];
  readonly limit?: UsedUp;
}

export function emptyState(maxConcurrency: number): GovernorState {
  return { bound: fullBound(maxConcurrency), admissions: 0, places: [] };
}

export function setMax(state: GovernorState, maxConcurrency: number): GovernorState {
  return { ...state, bound: withMax(state.bound, maxConcurrency) };
}

export function arrive(state: GovernorState, { id, waits, under }: Pick<Place, "id" | "waits" | "under">) {
  const place: Place = {
    ...{ id, waits, state: "queued", admission: 0, generation: 0, calm: false },
    ...(under === undefined ? {} : { under }),
  };
  return { ...state, places: [...state.places, place] };
}

/** The run has ended, or was given up. */
export function leave(state: GovernorState, id: number): GovernorState {
  const place = find(state, id);
  if (!place) return state;
  const { places, bound } = handOver(state, place);
  return endProbe(
    {
      ...state,
      bound: place.calm ? endWell(bound, place.generation) : bound,
      places: places.filter((each) => each.id !== id),
    },
    id,
  );
}

/** The host is near its limit, or over it for a moment. */
export function warned(state: GovernorState, id: number): GovernorState {
  const place = find(state, id);
  if (!place || place.state === "queued") return state;
  return { ...change(state, id, { calm: false }), bound: warn(state.bound, place.generation) };
}

/** The host answered: a window that it was asked for after it had been used up is open again. */
export function answered(state: GovernorState, id: number): GovernorState {
  const place = find(state, id);
  if (!place || place.state === "queued") return state;
  const isNews = !place.calm && place.generation === state.bound.generation;
  const calmer = isNews ? change(state, id, { calm: true }) : state;
  return state.limit && place.admission > state.limit.since ? withoutLimit(calmer) : calmer;
}

/** The host refused, since a window is used up. A run that waits goes back to its place in the queue. */
export function refused(state: GovernorState, id: number, news: LimitNews, moment: Moment): GovernorState {
  const place = find(state, id);
  if (!place || place.state === "queued") return state;
  const limit = newLimit(state, place, news, moment);
  if (!place.waits) return { ...state, limit };
  const requeued: Partial<Place> = { state: "queued", calm: false };
  return change({ ...handOver(state, place), limit }, id, requeued);
}

/** What an earlier process was told, and is still so. */
export function remembered(state: GovernorState, news: LimitNews, moment: Moment): GovernorState {
  return { ...state, limit: usedUp(news, state.admissions, 0, moment) };
}

/** The time has come at which the window was said to open again. */
export function reopen(state: GovernorState, now: number): GovernorState {
  const { limit } = state;
  return limit?.resetsAt !== undefined && limit.until <= now ? withoutLimit(state) : state;
}

/** Lets through everyone who may go on now, in the order of arrival. */
export function letThrough(state: GovernorState, now: number): { state: GovernorState; ids: number[] } {
  const ids: number[] = [];
  let next = state;
  let free = state.bound.bound - running(state);
  for (const place of state.places) {
    if (place.state !== "queued" || (stays(place, next) && !mayProbe(next, now))) continue;
    const borrows = mayBorrow(next, place);
    if (!borrows && free <= 0) continue;
    if (!borrows) free -= 1;
    next = admit(next, place, borrows ? "borrowing" : "running");
    ids.push(place.id);
  }
  return { state: next, ids };
}

/** True while a run stays where it is because a window is used up. */
export function isHeld(state: GovernorState, id: number): boolean {
  const place = find(state, id);
  return place !== undefined && place.state === "queued" && stays(place, state);
}

/** Runs that have a slot of their own; those that borrow one are within another. */
export function running({ places }: GovernorState): number {
  return places.reduce((count, { state }) => count + (state === "running" ? 1 : 0), 0);
}

function stays({ waits }: Place, { limit }: GovernorState): boolean {
  return waits && limit !== undefined;
}

function admit(state: GovernorState, place: Place, slot: "running" | "borrowing"): GovernorState {
  const { id } = place;
  const { limit, bound } = state;
  const admission = state.admissions + 1;
  const through = change(state, id, { state: slot, admission, generation: bound.generation, calm: false });
  return { ...through, admissions: admission, ...(limit && stays(place, state) && { limit: { ...limit, probe: id } }) };
}

/** One run asks where nobody knows when the window opens; the others wait for what it hears. */
function mayProbe({ limit }: GovernorState, now: number): boolean {
  return limit !== undefined && limit.resetsAt === undefined && limit.probe === undefined && limit.until <= now;
}

/** The run whose tool waits for this one does not ask meanwhile; one at a time may in its place. */
function mayBorrow(state: GovernorState, { under }: Place): boolean {
  const lender = under === undefined ? undefined : find(state, under);
  return lender !== undefined && lender.state !== "queued" && borrowerOf(state, lender) === undefined;
}

function borrowerOf({ places }: GovernorState, { id }: Place): Place | undefined {
  return places.find((place) => place.state === "borrowing" && place.under === id);
}

/** Who borrowed the slot of a run that gives it up has it from now on. */
function handOver(state: GovernorState, place: Place): GovernorState {
  const borrower = borrowerOf(state, place);
  if (!borrower || place.state === "queued") return state;
  const { under, ...own } = borrower;
  const lender = place.state === "borrowing" && place.under !== undefined ? { under: place.under } : {};
  const heir: Place = { ...own, state: place.state, ...lender };
  return { ...state, places: state.places.map((each) => (each.id === heir.id ? heir : each)) };
}

function newLimit({ limit, admissions }: GovernorState, place: Place, news: LimitNews, moment: Moment): UsedUp {
  if (limit && place.admission <= limit.since) return alsoRefused(limit, news, moment);
  const probes = limit?.probe === place.id ? limit.probes + 1 : 0;
  return usedUp(news, admissions, probes, moment);
}

/** A run that was asking and ended without an answer leaves it to the next. */
function endProbe(state: GovernorState, id: number): GovernorState {
  if (state.limit?.probe !== id) return state;
  const { probe: _ended, ...limit } = state.limit;
  return { ...state, limit };
}

function withoutLimit({ limit: _over, ...state }: GovernorState): GovernorState {
  return state;
}

function find({ places }: GovernorState, id: number): Place | undefined {
  return places.find((place) => place.id === id);
}

function change(state: GovernorState, id: number, fields: Partial<Place>): GovernorState {
  return { ...state, places: state.places.map((place) => (place.id === id ? { ...place, ...fields } : place)) };
}
