import { expect, test } from "vitest";
import { canonicalValue, compareSketches, sketchValues } from "./sketch.ts";

const sketchOf = (values: readonly string[]) => sketchValues(new Map(values.map((value) => [value, 1])));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => String(from + at));

test.each<[unknown, string | undefined]>([
  [7, "7"],
  ["7", "7"],
  [" 7 ", "7"],
  ["7.0", "7"],
  ["007", "007"],
  ["", undefined],
  ["  ", undefined],
  [null, undefined],
  ["Θεσσαλονίκη ", "Θεσσαλονίκη"],
  [new Uint8Array([1, 255]), "x01ff"],
])("the canonical value of %o is %o", (value, expected) => {
  expect(canonicalValue(value)).toBe(expected);
});

test("the canonical value of a big integer is its digits", () => {
  expect(canonicalValue(12345678901234567890n)).toBe("12345678901234567890");
});

test("two sketches of at most 1,024 values show inclusion exactly, with rows", () => {
  const child = sketchValues(new Map(Object.entries({ a: 8, b: 1, z: 1 })));
  const parent = sketchOf(["a", "b", "c"]);
  expect(child.complete && parent.complete).toBe(true);
  expect(compareSketches(child, parent)).toEqual({ values: 2 / 3, rows: 0.9, compared: 3 });
});

test("sketches of many values compare only the hashes that both would contain", () => {
  const parent = sketchOf(numbers(0, 50_000));
  expect(parent.hashes).toHaveLength(1024);
  const inside = compareSketches(sketchOf(numbers(10_000, 40_000)), parent);
  expect(inside).toMatchObject({ values: 1, rows: 1 });
  expect(inside.compared).toBeGreaterThan(400);
  const half = compareSketches(sketchOf(numbers(25_000, 75_000)), parent);
  expect(half.values).toBeGreaterThan(0.4);
  expect(half.values).toBeLessThan(0.6);
});

test("different values have different hashes", () => {
  const values = [...numbers(0, 1000), ..."日本語 δοκιμή".split("")];
  expect(new Set(sketchOf(values).hashes).size).toBe(new Set(values).size);
});
