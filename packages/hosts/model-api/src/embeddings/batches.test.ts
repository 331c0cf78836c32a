import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIntoBatches } from "./batches.ts";

test("no batch has more texts than the limit", () => {
  expect(splitIntoBatches(["a", "b", "c", "d", "e"], { texts: 2, bytes: 100 })).toEqual([
    ["a", "b"],
    ["c", "d"],
    ["e"],
  ]);
});

test("bytes are counted as UTF-8, and no batch has more than the limit", () => {
  expect(splitIntoBatches(["ää", "bb", "cc"], { texts: 9, bytes: 6 })).toEqual([["ää", "bb"], ["cc"]]);
});

test("a text that exceeds the limit alone is sent alone", () => {
  expect(splitIntoBatches(["a", "long enough", "b"], { texts: 9, bytes: 5 })).toEqual([["a"], ["long enough"], ["b"]]);
});

test("an empty list has no batches", () => {
  expect(splitIntoBatches([], { texts: 2, bytes: 5 })).toEqual([]);
});

test("for all limits, every text is sent once, in order, and only a text that is sent alone exceeds a limit", () => {
  const limits = fc.record({ texts: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1 })), limits, (texts, { texts: count, bytes }) => {
      const batches = splitIntoBatches(texts, { texts: count, bytes });
      expect(batches.flat()).toEqual(texts);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(count);
        if (batch.length > 1) expect(Buffer.byteLength(batch.join(""))).toBeLessThanOrEqual(bytes);
      }
    }),
  );
});
