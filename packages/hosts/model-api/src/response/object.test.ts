import { expect, test } from "vitest";
import { parseObject } from "./object.ts";

test.each([
  ['{"a":1}', { a: 1 }],
  [' \n{"a":1}\n', { a: 1 }],
  ['```json\n{"a":1}\n```', { a: 1 }],
  ['```\n{"a":1}\n```\n', { a: 1 }],
  ["", undefined],
  ["No object today.", undefined],
  ['Here it is: {"a":1}', undefined],
])("%j is parsed as %j", (text, object) => {
  expect(parseObject(text)).toEqual(object);
});
