import fc from "fast-check";
import { expect, test } from "vitest";
import { fuseRanks } from "./fuse-ranks.ts";

const toHits = (keys: readonly string[], complete: readonly string[]) =>
  keys.map((key, index) => ({ key, score: 9 - index, isComplete: complete.includes(key) }));
const keysOf = (hits: readonly { readonly key: string }[]) => hits.map(({ key }) => key);

test("entries with all words of the query come first, and others by the ranks in both lists", () => {
  const words = toHits(["a", "b", "c"], ["a"]);
  const near = ["c", "d", "a"].map((key) => ({ key, score: 1 }));
  expect(keysOf(fuseRanks(words, near))).toEqual(["a", "c", "b", "d"]);
  expect(keysOf(fuseRanks([], near))).toEqual(["c", "d", "a"]);
});

test("vectors never push back an entry that has all words of the query", () => {
  const list = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"));
  fc.assert(
    fc.property(list, list, list, (words, near, complete) => {
      const fused = fuseRanks(
        toHits(words, complete),
        near.map((key) => ({ key, score: 1 })),
      );
      const first = words.filter((key) => complete.includes(key));
      expect(keysOf(fused).slice(0, first.length)).toEqual(first);
      expect(keysOf(fused).sort()).toEqual([...new Set([...words, ...near])].sort());
    }),
  );
});
