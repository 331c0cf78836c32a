import fc from "fast-check";
import { expect, test } from "vitest";
import { batchesOf } from "./batches.ts";

test("no batch has more texts than are allowed", () => {
  expect(batchesOf(["a", "b", "c", "d", "e"], { texts: 2, bytes: 100 })).toEqual([["a", "b"], ["c", "d"], ["e"]]);
});

test("bytes are counted as UTF-8, and a batch is closed before it has too many", () => {
  expect(batchesOf(["ää", "bb", "cc"], { texts: 9, bytes: 6 })).toEqual([["ää", "bb"], ["cc"]]);
});

test("a text that is too long by itself is sent alone", () => {
  expect(batchesOf(["a", "long enough", "b"], { texts: 9, bytes: 5 })).toEqual([["a"], ["long enough"], ["b"]]);
});

test("there is no batch for no text", () => {
  expect(batchesOf([], { texts: 2, bytes: 5 })).toEqual([]);
});

test("whatever the limits, every text comes once, in order, and only a lone text goes past a limit", () => {
  const limits = fc.record({ texts: fc.integer({ min: 1, max: 5 }), bytes: fc.integer({ min: 1, max: 20 }) });
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", minLength: 1 })), limits, (texts, { texts: count, bytes }) => {
      const batches = batchesOf(texts, { texts: count, bytes });
      expect(batches.flat()).toEqual(texts);
      for (const batch of batches) {
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(count);
        if (batch.length > 1) expect(Buffer.byteLength(batch.join(""))).toBeLessThanOrEqual(bytes);
      }
    }),
  );
});
