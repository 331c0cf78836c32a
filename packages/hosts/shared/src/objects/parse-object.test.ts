import { expect, test } from "vitest";
import { parseObject } from "./parse-object.ts";

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

test("an answer that opens a fence and then has a megabyte of line feeds is no object", () => {
  expect(parseObject(`\`\`\`json${"\n".repeat(1_000_000)}{"a":1}`)).toBeUndefined();
  expect(parseObject(`\`\`\`json${"\n".repeat(1_000_000)}{"a":1}\n\`\`\``)).toEqual({ a: 1 });
});
