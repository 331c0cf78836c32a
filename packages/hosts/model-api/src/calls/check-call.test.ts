import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { checkFor, readArguments, unwrapJson } from "./check-call.ts";

const schema = z.toJSONSchema(
  z.object({
    name: z.string(),
    at: z.object({ x: z.number(), more: z.array(z.string()).optional() }).optional(),
    either: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  { io: "input" },
);

test.each([
  ["an object in a string", '{"name":"a"}', { name: "a" }],
  ["an object in a string in a string", JSON.stringify('{"name":"a"}'), { name: "a" }],
  ["a field in a string", { name: "a", at: '{"x":1}' }, { name: "a", at: { x: 1 } }],
  [
    "a field of a field in a string",
    { name: "a", at: { x: 1, more: '["b"]' } },
    { name: "a", at: { x: 1, more: ["b"] } },
  ],
  ["a string in a string property", { name: "[1]" }, { name: "[1]" }],
  ["a string where the schema also allows a list", { name: "a", either: '["b"]' }, { name: "a", either: '["b"]' }],
  ["text that is no JSON", "name: a", "name: a"],
])("%s is unwrapped", (_, given, read) => {
  expect(unwrapJson(given, schema)).toEqual(read);
});

test("arguments that match the schema are never changed", () => {
  const check = checkFor(schema);
  const fitting = fc.record(
    { name: fc.string(), at: fc.record({ x: fc.integer() }), either: fc.oneof(fc.string(), fc.array(fc.string())) },
    { requiredKeys: ["name"] },
  );
  fc.assert(
    fc.property(fitting, (input) => {
      expect(check?.(input)).toEqual({ fits: true });
      expect(unwrapJson(input, schema)).toEqual(input);
    }),
  );
});

test("empty text means no arguments, and invalid JSON stays unchanged", () => {
  expect(readArguments("")).toEqual({});
  expect(readArguments('{"a":')).toBe('{"a":');
  expect(readArguments('{"a":1}')).toEqual({ a: 1 });
});

test("problems name the field, and an unreadable schema has no check", () => {
  expect(checkFor(schema)?.({ name: 7 })).toMatchObject({ fits: false, problems: expect.stringContaining("name") });
  expect(checkFor({ type: "object", if: {}, $ref: "https://example.com/x" })).toBeUndefined();
});
