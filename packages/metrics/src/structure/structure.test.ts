import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError } from "@bridle/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { findValue, formatPath, parsePath } from "../values/path.ts";
import { responsePath } from "./response-path.ts";
import { createSchemaCheck } from "./schema-check.ts";
import { readAnswerValue } from "./structured-answer.ts";

const answered = { answer: z.string().default(""), object: z.json().optional() };

test.each(examplesOf("json_schema", { ...answered, schema: z.record(z.string(), z.json()) }))(
  "json_schema of an example: $title",
  ({ given: { schema, ...given }, score, reason }) => {
    expect(createSchemaCheck(schema)(given)).toEqual(reason === undefined ? { score } : { score, reason });
  },
);

test.each(examplesOf("response_path", { ...answered, path: z.string(), value: z.json() }))(
  "response_path of an example: $title",
  ({ given: { path, value, ...given }, score, reason }) => {
    expect(responsePath(given, path, value)).toEqual(reason === undefined ? { score } : { score, reason });
  },
);

test.each([
  ["Either\n```json\n1\n```\nor\n```\n2\n```", { value: 1 }],
  ["```sh\nls\n```\n```json\n{}\n```", { value: {} }],
  ["- so:\n  ```JSON\n  [1]\n  ```", { value: [1] }],
  [
    "```json\n1\n```\n```json\n2\n```",
    { problem: "the answer has 2 fenced blocks, so it is unclear which one is the JSON" },
  ],
  ["```json\n{\n```", { problem: 'the block in the answer is not JSON: "{\\n"' }],
  ["```json\n{}", { problem: 'the answer is not JSON: "```json\\n{}"' }],
  [' "text" ', { value: "text" }],
])("of the answer %j the value is %j", (answer, expected) => {
  expect(readAnswerValue({ answer })).toEqual(expected);
});

test("the object of a run counts, not its text", () => {
  expect(readAnswerValue({ answer: "2", object: 1 })).toEqual({ value: 1 });
  expect(readAnswerValue({ answer: "2", object: null })).toEqual({ value: null });
});

test.each([
  [[], "It has to be a mapping of keywords"],
  [{ typ: "object" }, 'strict mode: unknown keyword: "typ"'],
  [{ type: "text" }, "schema is invalid: data/type must be equal to one of the allowed values"],
  [{ format: "order" }, 'unknown format "order" ignored in schema'],
  [{ $ref: "https://example.com/order.json" }, "can't resolve reference https://example.com/order.json"],
  [{ $schema: "http://json-schema.org/draft-04/schema#" }, "only draft 2020-12 and draft-07 are supported"],
])("the schema %j is refused with the reason", (schema, reason) => {
  expect(() => createSchemaCheck(schema)).toThrow(ConfigError);
  expect(() => createSchemaCheck(schema)).toThrow(reason);
});

test("a check that would take years is aborted", () => {
  const check = createSchemaCheck({ type: "object", additionalProperties: { pattern: "^(a+)+$" } });
  expect(check({ answer: '{"a":"aaa"}' }).score).toBe(1);
  const answer = `{"a":"${"a".repeat(50)}!"}`;
  expect(() => check({ answer })).toThrow(/^schema: the check takes too long on this answer\. Write its patterns/);
  expect(check({ answer: '{"a":"b"}' }).score).toBe(0);
}, 20_000);

test("patterns support Unicode, and an invalid pattern is refused", () => {
  const check = createSchemaCheck({ type: "string", pattern: "^\\p{L}.$" });
  expect(check({ answer: '"Ω😀"' }).score).toBe(1);
  expect(check({ answer: '"1😀"' })).toEqual({ score: 0, reason: 'the answer must match pattern "^\\p{L}.$"' });
  expect(() => createSchemaCheck({ pattern: "(" })).toThrow("schema is not a usable JSON Schema.");
  expect(() => createSchemaCheck({ patternProperties: { "(": {} } })).toThrow(ConfigError);
});

test("of many violations the first are listed, and the number of the others", () => {
  const check = createSchemaCheck({ items: { type: "number" } });
  const { reason = "" } = check({ answer: JSON.stringify(Array(5000).fill("x")) });
  expect(reason).toMatch(/^\[0\] must be number; .*; \[49\] must be number; and 4950 more$/);
});

test("a violation has the path in the answer, even with unusual keys", () => {
  const check = createSchemaCheck({ properties: { "a/b": { properties: { "c.d": { items: { type: "null" } } } } } });
  expect(check({ answer: "", object: { "a/b": { "c.d": [null, 0] } } })).toEqual({
    score: 0,
    reason: 'a/b["c.d"][1] must be null',
  });
});

test.each([
  ["order.items[0].id", ["order", "items", 0, "id"]],
  ["items.0.id", ["items", "0", "id"]],
  ["[1][2]", [1, 2]],
  ['rates["eu.west"].price', ["rates", "eu.west", "price"]],
  ["'eu.west'.price", ["eu.west", "price"]],
  ['a."b[0]"', ["a", "b[0]"]],
  ['["say \\"so\\""]', ['say "so"']],
  ["order id", ["order id"]],
])("the path %s is parsed", (path, keys) => {
  expect(parsePath(path)).toEqual(keys);
});

test.each(["", ".", "a.", "a..b", "a[", "a[x]", "a]b", 'a"b"', "a['b", "a[-1]"])("the path %j is refused", (path) => {
  expect(() => parsePath(path)).toThrow(/^path is not valid\. .+ Write it like order\.items\[0\]\.id\.$/);
});

test("a formatted path is parsed to the same path", () => {
  const key = fc.oneof(fc.string(), fc.constantFrom("a.b", "a[0]", 'a"', "\\", "'", ""), fc.nat({ max: 99 }));
  fc.assert(
    fc.property(fc.array(key, { minLength: 1 }), (path) => {
      expect(parsePath(formatPath(path))).toEqual(path);
    }),
  );
});

test("indexes of lists may follow a dot, and inherited keys are missing", () => {
  expect(findValue({ items: ["a", "b"] }, ["items", "1"])).toEqual({ value: "b" });
  expect(findValue({}, ["constructor"])).toEqual({ missing: "constructor is missing: the answer is empty" });
  expect(findValue([1], ["length"])).toEqual({ missing: "length is missing: the answer is a list of 1" });
  expect(findValue({ a: null }, ["a", "b"])).toEqual({ missing: "a.b is missing: a is null" });
});

/** Reads the worked examples of a metric, some of which include the reason. */
function examplesOf<Given extends z.ZodRawShape>(metric: string, given: Given) {
  const example = z.strictObject({
    title: z.string(),
    score: z.union([z.literal(0), z.literal(1)]),
    source: z.string(),
    given: z.strictObject(given),
    reason: z.string().optional(),
  });
  const text = readFileSync(join(import.meta.dirname, "../../examples", `${metric}.json`), "utf8");
  const schema = z.strictObject({ metric: z.literal(metric), examples: z.array(example).min(12) });
  return schema.parse(JSON.parse(text)).examples;
}
