import { expect, test } from "vitest";
import { placeOnStrip } from "./strip-places.ts";

test("a share is placed between 0 and 1, with the spread of its change from where it was", () => {
  const places = placeOnStrip({ before: 0.5, after: 0.75, interval: { low: 0.125, high: 0.75 } }, true);
  expect(places).toEqual({ before: 0.4, after: 0.6, spread: { from: 0.5, to: 1 } });
  const better = placeOnStrip({ before: 0.5, after: 0.75, interval: { low: -1, high: 0.25 } }, true);
  expect(better).toEqual({ before: 0.5, after: 0.75, spread: { from: 0, to: 0.75 } });
});

test("a figure with a unit is placed below the largest of its figures", () => {
  expect(placeOnStrip({ before: 3, after: 6, interval: null }, false)).toEqual({
    before: 0.5,
    after: 1,
    spread: undefined,
  });
});

test("a metric without a figure before or after has no strip, nor one that is only zero", () => {
  expect(placeOnStrip({ before: null, after: 1, interval: null }, true)).toBeUndefined();
  expect(placeOnStrip({ before: 0, after: 0, interval: null }, false)).toBeUndefined();
});
