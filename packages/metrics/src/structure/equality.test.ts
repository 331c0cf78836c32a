import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { examplesOf } from "../scoring/examples-for-tests.ts";
import { equality } from "./equality.ts";

test.each(examplesOf("equality", { value: z.json() }))("equality of an example: $title", ({ given, score }) => {
  expect(equality(given.answer, given.value).score).toBe(score);
});

test.each([
  ['{"order": {"items": [1, true]}}', { order: { items: [1, 1] } }, "order.items[1] is true instead of 1"],
  ['{"order": {}}', { order: { id: 1 } }, "order.id is nothing instead of 1"],
  ['{"id": 1, "more": null}', { id: 1 }, "more is null instead of nothing"],
  ["[1, 2]", [1], "the answer is [1,2] instead of [1]"],
  ["1e999", null, "the answer is Infinity instead of null"],
  ['{"a": [1e999]}', { a: [null] }, "a[0] is Infinity instead of null"],
  ["It is 5.", 5, 'the answer is not JSON: "It is 5."'],
  ["Packed", "shipped", '"Packed" instead of "shipped"'],
])("%s against %j: the reason is the first difference", (answer, expected, reason) => {
  expect(equality(answer, expected)).toEqual({ score: 0, reason });
});

test("JSON equals JSON with the same values in any notation, and nothing else", () => {
  const json = fc.jsonValue({ maxDepth: 2, stringUnit: "grapheme" }).map((value) => z.json().parse(plain([value])));
  fc.assert(
    fc.property(json, json, (value, other) => {
      expect(equality(JSON.stringify(value, null, 2), value).score).toBe(1);
      expect(equality(JSON.stringify(other), value).score).toBe(isDeepStrictEqual(other, value) ? 1 : 0);
    }),
  );
});

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
