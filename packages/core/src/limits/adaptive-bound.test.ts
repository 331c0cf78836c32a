import fc from "fast-check";
import { expect, test } from "vitest";
import { type AdaptiveBound, endWell, fullBound, warn, withMax } from "./adaptive-bound.ts";

const endings = (state: AdaptiveBound, count: number) =>
  Array.from({ length: count }).reduce<AdaptiveBound>((each) => endWell(each, each.generation), state);

test("a warning halves the bound, and never below one", () => {
  expect(warn(fullBound(9), 0).bound).toBe(4);
  expect(warn(fullBound(1), 0).bound).toBe(1);
});

test("runs that began before a halving neither halve again nor count for growing", () => {
  const halved = warn(fullBound(8), 0);
  expect(warn(halved, 0)).toBe(halved);
  expect(endWell(halved, 0)).toBe(halved);
  expect(warn(halved, 1).bound).toBe(2);
});

test("the bound n grows by one after n runs in a row without a warning, up to its maximum", () => {
  const halved = warn(fullBound(4), 0);
  expect([1, 2, 4, 5, 50].map((count) => endings(halved, count).bound)).toEqual([2, 3, 3, 4, 4]);
});

test("a warning restarts the count of runs", () => {
  const almost = endings(warn(fullBound(8), 0), 3);
  const warned = warn(almost, almost.generation);
  expect(warned).toMatchObject({ bound: 2, calm: 0 });
  expect(endings(warned, 1).bound).toBe(2);
});

test("a new maximum applies at once if the bound was at the old one, and is never exceeded", () => {
  expect(withMax(fullBound(4), 8).bound).toBe(8);
  expect(withMax(warn(fullBound(4), 0), 8).bound).toBe(2);
  expect(withMax(fullBound(4), 1).bound).toBe(1);
});

const action = fc.oneof(
  fc.record({ do: fc.constant("warn" as const), behind: fc.nat(2) }),
  fc.record({ do: fc.constant("end" as const), behind: fc.nat(2) }),
  fc.record({ do: fc.constant("max" as const), max: fc.integer({ min: 1, max: 12 }) }),
);

test("for every sequence of runs, the bound stays between one and its maximum, and changes by one or by half", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.array(action), (max, actions) => {
      let state = fullBound(max);
      for (const each of actions) {
        const before = state;
        if (each.do === "max") state = withMax(state, each.max);
        else if (each.do === "warn") state = warn(state, state.generation - each.behind);
        else state = endWell(state, state.generation - each.behind);
        expect(state.bound).toBeGreaterThanOrEqual(1);
        expect(state.bound).toBeLessThanOrEqual(state.max);
        if (each.do === "end") expect([0, 1]).toContain(state.bound - before.bound);
        if (each.do === "warn")
          expect([before.bound, Math.max(1, Math.floor(before.bound / 2))]).toContain(state.bound);
      }
    }),
  );
});
