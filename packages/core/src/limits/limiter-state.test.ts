import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  applyAnswer,
  applyRefusal,
  applyWarning,
  arrive,
  emptyState,
  isHeld,
  type LimiterState,
  leave,
  letThrough,
  reopen,
  rest,
  restoreLimit,
  running,
  setMax,
  wake,
} from "./limiter-state.ts";
import { defaultPace, type Moment } from "./used-up.ts";

const at = (now: number): Moment => ({ now, random: 0.5, pace: { ...defaultPace, spreadMs: 100, probeMs: 1000 } });
const hours = (now: number) => ({ window: "five_hour", resetsAt: now });
const unknown = { window: "five_hour" };

/** Creates a queue of runs that arrived in this order, after permits were granted. */
function queueOf(max: number, ...slots: { id: number; waits?: boolean; parent?: number }[]): LimiterState {
  return through(slots.reduce((state, slot) => arrive(state, { waits: true, ...slot }), emptyState(max)));
}

const through = (state: LimiterState, now = 0) => letThrough(state, now).state;
const idsOf = (state: LimiterState, ...states: string[]) =>
  state.slots.filter((slot) => states.includes(slot.state)).map(({ id }) => id);
const inside = (state: LimiterState) => idsOf(state, "running", "borrowing");

describe("a permit", () => {
  test("is granted to as many runs as the bound allows, in the order of their arrival", () => {
    const state = queueOf(2, { id: 1 }, { id: 2 }, { id: 3 }, { id: 4 });
    expect(inside(state)).toEqual([1, 2]);
    expect(inside(through(leave(state, 1)))).toEqual([2, 3]);
    expect(inside(through(leave(leave(state, 3), 1)))).toEqual([2, 4]);
  });

  test("is not revoked by a warning, and is granted again when enough runs have left", () => {
    const state = queueOf(4, ...[1, 2, 3, 4, 5].map((id) => ({ id })));
    const halved = applyWarning(state, 2);
    expect(halved.bound.bound).toBe(2);
    expect(inside(through(leave(halved, 1)))).toEqual([2, 3, 4]);
    expect(inside(through(leave(leave(leave(halved, 1), 2), 3)))).toEqual([4, 5]);
  });

  test("is added again only after a run that the host answered since the halving", () => {
    let state = through(leave(applyWarning(queueOf(2, { id: 1 }), 1), 1));
    expect(state.bound.bound).toBe(1);
    state = leave(through(arrive(state, { id: 2, waits: false })), 2);
    expect(state.bound.bound).toBe(1);
    state = leave(applyAnswer(through(arrive(state, { id: 3, waits: false })), 3), 3);
    expect(state.bound.bound).toBe(2);
  });

  test("is lent to one nested run at a time", () => {
    const state = queueOf(1, { id: 1 }, { id: 2 }, { id: 3, parent: 1 }, { id: 4, parent: 1 });
    expect(inside(state)).toEqual([1, 3]);
    expect(inside(through(leave(state, 3)))).toEqual([1, 4]);
  });

  test("stays with the nested run if its parent ends, and is released once", () => {
    const state = through(leave(queueOf(1, { id: 1 }, { id: 2 }, { id: 3, parent: 1 }), 1));
    expect(idsOf(state, "running")).toEqual([3]);
    expect(inside(through(leave(state, 3)))).toEqual([2]);
  });

  test("is free while its run waits for a person, and is granted again in the order of arrival", () => {
    const resting = through(rest(queueOf(1, { id: 1 }, { id: 2 }, { id: 3 }), 1));
    expect(inside(resting)).toEqual([2]);
    const answered = through(wake(resting, 1));
    expect(inside(answered)).toEqual([2]);
    expect(inside(through(leave(answered, 2)))).toEqual([1]);
    expect(inside(through(leave(answered, 1)))).toEqual([2]);
  });

  test("is not lent by a run that waits for a person, and a borrower keeps it", () => {
    const resting = through(rest(queueOf(1, { id: 1 }, { id: 2 }, { id: 3, parent: 1 }), 1));
    expect(idsOf(resting, "running")).toEqual([3]);
    const other = through(arrive(through(leave(resting, 3)), { id: 4, waits: true, parent: 1 }));
    expect(inside(other)).toEqual([2]);
    expect(inside(through(leave(wake(other, 1), 2)))).toEqual([1, 4]);
  });

  test("is borrowed again by a nested run whose parent got it back while the nested run waited for a person", () => {
    const kept = through(rest(queueOf(1, { id: 1 }, { id: 2, parent: 1 }), 1));
    expect(idsOf(kept, "running")).toEqual([2]);
    const returned = through(rest(wake(kept, 1), 2));
    expect(inside(returned)).toEqual([1]);
    expect(inside(through(wake(returned, 2)))).toEqual([1, 2]);
  });

  test("is borrowed again from its own parent by a run at the third level", () => {
    const chain = queueOf(1, { id: 1 }, { id: 2, parent: 1 }, { id: 3, parent: 2 });
    expect(inside(chain)).toEqual([1, 2, 3]);
    const asked = through(rest(rest(chain, 2), 3));
    const second = through(wake(asked, 2));
    expect(inside(second)).toEqual([1, 2]);
    expect(inside(through(wake(second, 3)))).toEqual([1, 2, 3]);
  });

  test("is lent by the nearest caller that has one, if the parent waits for a person", () => {
    const asked = through(rest(queueOf(1, { id: 1 }, { id: 2, parent: 1 }), 2));
    expect(inside(through(arrive(asked, { id: 3, waits: true, parent: 2 })))).toEqual([1, 3]);
  });

  test("is granted at once when the maximum rises", () => {
    expect(inside(through(setMax(queueOf(1, { id: 1 }, { id: 2 }), 2)))).toEqual([1, 2]);
  });
});

describe("a used-up window", () => {
  const state = queueOf(2, { id: 1 }, { id: 2, waits: false }, { id: 3 }, { id: 4, waits: false });
  const held = through(applyRefusal(state, 1, hours(5000), at(0)));

  test("moves the refused run to the head of the queue, and holds only runs that wait for windows", () => {
    expect(inside(held)).toEqual([2, 4]);
    expect([1, 3].map((id) => isHeld(held, id))).toEqual([true, true]);
  });

  test("opens shortly after its reset, and then the runs continue in order, within the bound", () => {
    expect(reopen(held, 5000)).toBe(held);
    const open = reopen(held, 5050);
    expect(open.limit).toBeUndefined();
    expect(inside(through(leave(open, 2)))).toEqual([1, 4]);
    expect(inside(through(leave(leave(open, 2), 4)))).toEqual([1, 3]);
  });

  test("is open when the host answers a run that asked after the refusal, but not an earlier one", () => {
    expect(applyAnswer(held, 2).limit).toBeDefined();
    expect(applyAnswer(held, 4).limit).toBeUndefined();
  });

  test("only moves to a later time if it also refuses a run that asked earlier", () => {
    expect(applyRefusal(held, 2, hours(4000), at(1)).limit).toBe(held.limit);
    expect(applyRefusal(held, 2, unknown, at(1)).limit).toBe(held.limit);
    expect(applyRefusal(held, 2, hours(9000), at(1)).limit).toMatchObject({ resetsAt: 9000, until: 9050 });
    expect(applyRefusal(held, 4, hours(4000), at(1)).limit).toMatchObject({ resetsAt: 4000 });
  });

  test("without a known reset is probed by one run at a time, with a doubling delay", () => {
    const waiting = (first: LimiterState) => through(first, first.limit?.until);
    let now = through(applyRefusal(queueOf(9, { id: 1 }, { id: 2 }), 1, unknown, at(0)));
    now = applyRefusal(now, 2, unknown, at(0));
    expect(now.limit).toMatchObject({ until: 1000, probes: 0 });
    expect(inside(through(now, 999))).toEqual([]);
    now = waiting(now);
    expect(inside(now)).toEqual([1]);
    now = through(applyRefusal(now, 1, unknown, at(1000)), 1000);
    expect(now.limit).toMatchObject({ until: 3000, probes: 1 });
    now = waiting(now);
    expect(inside(now)).toEqual([1]);
    expect(inside(through(leave(now, 1), 3000))).toEqual([2]);
    expect(inside(through(applyAnswer(now, 1), 3000))).toEqual([1, 2]);
  });

  test("with a reset in the past counts as one without a known reset", () => {
    expect(applyRefusal(state, 1, hours(10), at(10)).limit).toEqual({
      window: "five_hour",
      until: 1010,
      since: 2,
      probes: 0,
    });
  });

  test("that an earlier process stored holds only runs that wait", () => {
    const known = restoreLimit(emptyState(4), hours(5000), at(0));
    const arrived = arrive(arrive(known, { id: 1, waits: true }), { id: 2, waits: false });
    expect(inside(through(arrived))).toEqual([2]);
  });
});

const id = fc.integer({ min: 1, max: 12 });
const anyAction = fc.oneof(
  fc.record({ do: fc.constant("arrive" as const), waits: fc.boolean(), parent: fc.option(id, { nil: undefined }) }),
  fc.record({ do: fc.constantFrom("leave", "warned", "answered", "rest", "wake"), id }),
  fc.record({ do: fc.constant("refused" as const), id, resets: fc.option(fc.nat(5000), { nil: undefined }) }),
  fc.record({ do: fc.constant("time" as const), ms: fc.nat(3000) }),
  fc.record({ do: fc.constant("max" as const), max: fc.integer({ min: 1, max: 5 }) }),
);

test("for every sequence, the bound holds, each run has one slot, and no run is left at the end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), fc.array(anyAction, { maxLength: 60 }), (max, actions) => {
      let state = emptyState(max);
      let now = 0;
      let last = 0;
      for (const action of actions) {
        if (action.do === "arrive") {
          last += 1;
          const { waits, parent } = action;
          state = arrive(state, { id: last, waits, ...(parent !== undefined && parent < last && { parent }) });
        } else if (action.do === "time") now += action.ms;
        else if (action.do === "max") state = setMax(state, action.max);
        else if (action.do === "refused") state = applyRefusal(state, action.id, news(action.resets, now), at(now));
        else state = { leave, rest, wake, warned: applyWarning, answered: applyAnswer }[action.do](state, action.id);
        const ran = new Set(idsOf(state, "running"));
        const opened = letThrough(reopen(state, now), now);
        state = opened.state;
        expectSound(state, ran);
      }
      expectDrained(state, now);
    }),
  );
});

function news(resets: number | undefined, now: number) {
  return resets === undefined ? unknown : hours(now + resets);
}

function expectSound(state: LimiterState, before: ReadonlySet<number>): void {
  const began = idsOf(state, "running").filter((each) => !before.has(each));
  if (began.length > 0) expect(running(state)).toBeLessThanOrEqual(state.bound.bound);
  const ids = state.slots.map((slot) => slot.id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  const lenders = state.slots.filter((slot) => slot.state === "borrowing").map(({ lender }) => lender);
  expect(new Set(lenders).size).toBe(lenders.length);
  for (const lender of lenders) expect(inside(state)).toContain(lender);
  const free = state.slots.filter((slot) => slot.state === "queued" && !isHeld(state, slot.id));
  if (free.length > 0) expect(running(state)).toBeGreaterThanOrEqual(state.bound.bound);
}

/** Answers and ends each running run and advances the time until no run is left. */
function expectDrained(first: LimiterState, start: number): void {
  let state = first;
  let now = start;
  for (let round = 0; state.slots.length > 0; round++) {
    expect(round).toBeLessThan(1000);
    for (const each of inside(state)) state = leave(applyAnswer(state, each), each);
    for (const each of idsOf(state, "resting")) state = wake(state, each);
    now = Math.max(now, state.limit?.until ?? now);
    state = through(reopen(state, now), now);
  }
}
