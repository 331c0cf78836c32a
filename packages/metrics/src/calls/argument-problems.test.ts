import { describe, expect, test } from "vitest";
import { z } from "zod";
import { argumentProblems } from "./argument-problems.ts";

const schema = {
  type: "object",
  properties: {
    id: { type: "string" },
    cents: { type: "integer" },
    state: { enum: ["open", "closed"] },
    urgent: { type: "boolean" },
    tags: { type: "array", items: { type: "string" } },
    address: { $ref: "#/$defs/address" },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    any: {},
    free: { type: "object" },
    open: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
  },
  $defs: { address: { type: "object", properties: { city: { type: "string" }, number: { type: "integer" } } } },
};

const messages = (args: Record<string, unknown>, of: object = schema) =>
  argumentProblems(args, of as Record<string, unknown>).map(({ message }) => message);

describe("expected arguments that no call can have are refused", () => {
  test.each<[string, Record<string, unknown>, string]>([
    ["an unknown argument", { idd: "A-1" }, 'the argument idd does not exist. Did you mean "id"?'],
    [
      "an unknown argument far from all",
      { zebra: 1 },
      "the argument zebra does not exist. The tool has id, cents, state",
    ],
    [
      "an unknown argument within one",
      { address: { cty: "Athens" } },
      'address.cty does not exist. Did you mean "city"?',
    ],
    [
      "a text for a number",
      { cents: "5" },
      'cents is a whole number, but "5" is a text, so no call fits. Write it without',
    ],
    ["a fraction for a whole number", { cents: 1.5 }, "cents is a whole number, but 1.5 is a number"],
    ["a number for true or false", { urgent: 1 }, "urgent is true or false, but 1 is a number"],
    ["a text for a list", { tags: "a" }, 'tags is a list, but "a" is a text'],
    ["a wrong entry of a list", { tags: ["a", true] }, "tags[1] is a text, but true is true or false"],
    ["a mapping for a text", { id: { regexp: "^A" } }, "id is a text, but"],
    [
      "a misspelt choice",
      { state: "opne" },
      'state is one of "open", "closed", but "opne" is expected. Did you mean "open"?',
    ],
    ["a matcher for a mapping", { address: { regex: "x" } }, "the argument address.regex does not exist"],
    ["null for a text", { id: null }, "id is a text, but null is null"],
  ])("%s", (_, args, message) => {
    expect(messages(args).join()).toContain(message);
  });

  test("any argument of a tool without arguments", () => {
    expect(messages({ id: 1 }, { type: "object", properties: {} })).toEqual([
      "the argument id does not exist. The tool has no arguments. Correct the name.",
    ]);
  });
});

test.each<[string, Record<string, unknown>]>([
  ["values of their types", { id: "A-1", cents: 5, state: "open", urgent: true, tags: ["a"], note: null }],
  ["a number for a text, which fits the text that is this number", { id: 1001 }],
  [
    "matchers",
    { id: { regex: "^A" }, cents: { number: 5, tolerance: 1 }, tags: [{ contains: "a" }], state: { fuzzy: "Open" } },
  ],
  ["parts of a mapping", { address: { number: 5 } }],
  ["anything if the schema leaves it open", { any: { x: 1 }, free: { y: 2 }, open: { z: 3 } }],
])("%s are accepted", (_, args) => {
  expect(messages(args)).toEqual([]);
});

test("a schema without properties, and one that refers to another document, leave arguments open", () => {
  expect(messages({ a: 1 }, { type: "object" })).toEqual([]);
  expect(messages({ a: 1 }, { $ref: "https://example.com/schema.json" })).toEqual([]);
  expect(messages({ a: 1 }, { type: "object", properties: {}, patternProperties: { "^a": {} } })).toEqual([]);
});

test("alternatives allow the arguments of each of them", () => {
  const either = { anyOf: [{ properties: { a: { type: "string" } } }, { properties: { b: { type: "string" } } }] };
  expect(messages({ a: "x", b: "y" }, either)).toEqual([]);
  expect(messages({ c: "x" }, either)).toMatchObject([expect.stringContaining("the argument c does not exist")]);
});

test("the schema of a Zod object is read, a recursive one too", () => {
  interface Tree {
    name: string;
    below?: Tree[] | undefined;
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), below: z.array(tree).optional() }));
  const zod = z.toJSONSchema(z.object({ tree, at: z.iso.date().optional() }), { io: "input" });
  expect(messages({ tree: { name: "a", below: [{ name: "b" }] }, at: "2026-01-01" }, zod)).toEqual([]);
  expect(messages({ tree: { below: [{ nam: "b" }] } }, zod).join()).toContain("tree.below[0].nam does not exist");
});
