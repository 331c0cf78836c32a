import { sha256 } from "@bridle/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, isPlainObject, toJson } from "./json.ts";

test("the order of keys does not change the text, at any depth", () => {
  expect(canonicalJson({ b: 1, a: { d: [{ z: 1, y: 2 }], c: null } })).toBe(
    canonicalJson({ a: { c: null, d: [{ y: 2, z: 1 }] }, b: 1 }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("values with equal JSON have one text", () => {
  expect(canonicalJson({ a: undefined, b: -0 })).toBe('{"b":0}');
  expect(canonicalJson(undefined)).toBe("null");
  expect(canonicalJson(new Date(0))).toBe('"1970-01-01T00:00:00.000Z"');
});

test("Unicode is unchanged, even a lone surrogate or a key named __proto__", () => {
  expect(canonicalJson({ ü: "漢🌍" })).toBe('{"ü":"漢🌍"}');
  expect(sha256(canonicalJson("\ud83c"))).toMatch(/^[0-9a-f]{64}$/);
  expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}');
});

test("a copy is deep and contains the JSON values", () => {
  const original = { list: [{ at: new Date(0) }], gone: undefined };
  const copy = toJson(original);
  expect(copy).toEqual({ list: [{ at: "1970-01-01T00:00:00.000Z" }] });
  expect(toJson(undefined)).toBeNull();
});

test("a cycle and a BigInt are refused", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  expect(() => toJson(cycle)).toThrow(/circular/);
  expect(() => toJson({ n: 1n })).toThrow(/BigInt/);
});

test("lists and null are no plain objects", () => {
  expect([{}, [], null, "x"].map(isPlainObject)).toEqual([true, false, false, false]);
});
