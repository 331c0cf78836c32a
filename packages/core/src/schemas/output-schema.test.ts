import { InvalidRequestError, type JsonSchema } from "@bridle/protocol";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createOutputSchema } from "./output-schema.ts";

const text = { type: "string" };
const number = { type: "number" };

/** A schema with a keyword, a value that matches, and a value that only this keyword refuses. */
const honoured: Record<string, [schema: Record<string, unknown>, fits: unknown, fails: unknown]> = {
  "type of a list": [{ type: ["string", "null"] }, null, 1],
  integer: [{ type: "integer" }, 1, 1.5],
  enum: [{ enum: ["a", 1, null] }, null, "b"],
  const: [{ const: 3 }, 3, 4],
  minLength: [{ ...text, minLength: 2 }, "ab", "a"],
  maxLength: [{ ...text, maxLength: 2 }, "ab", "abc"],
  pattern: [{ ...text, pattern: "b" }, "abc", "ac"],
  "format: email": [{ ...text, format: "email" }, "a@b.ch", "a"],
  "format: date": [{ ...text, format: "date" }, "2026-01-31", "2026-02-31"],
  "format: date-time": [{ ...text, format: "date-time" }, "2026-01-31T00:00:00+01:00", "yesterday"],
  "format: uuid": [{ ...text, format: "uuid" }, "4f3b7c1e-6a55-4f0e-9d0a-0a4b7f8e1c2d", "x"],
  minimum: [{ ...number, minimum: 1 }, 1, 0],
  maximum: [{ ...number, maximum: 1 }, 1, 2],
  exclusiveMinimum: [{ ...number, exclusiveMinimum: 1 }, 2, 1],
  exclusiveMaximum: [{ ...number, exclusiveMaximum: 1 }, 0, 1],
  multipleOf: [{ ...number, multipleOf: 5 }, 10, 11],
  "items: false": [{ type: "array", prefixItems: [text], items: false }, ["a"], ["a", 1]],
  items: [{ type: "array", items: text }, ["a"], [1]],
  prefixItems: [{ type: "array", prefixItems: [text, number], minItems: 2 }, ["a", 1], [1, "a"]],
  "minItems alone": [{ type: "array", minItems: 1 }, [1], []],
  "maxItems alone": [{ type: "array", maxItems: 1 }, [1], [1, 2]],
  uniqueItems: [{ type: "array", uniqueItems: true }, [1, 2], [1, 1]],
  contains: [{ type: "array", contains: text }, [1, "a"], [1]],
  minContains: [{ type: "array", contains: text, minContains: 2 }, ["a", "b"], ["a"]],
  required: [{ type: "object", properties: { a: text }, required: ["a"] }, { a: "x" }, {}],
  "required without a property": [{ type: "object", required: ["a"] }, { a: 1 }, {}],
  "required without a property, if others have a schema": [
    { type: "object", required: ["a"], additionalProperties: number },
    { a: 1 },
    { a: "1" },
  ],
  "required by a pattern": [
    { type: "object", required: ["ab"], patternProperties: { "^a": number }, additionalProperties: false },
    { ab: 1 },
    {},
  ],
  "required beside a default": [
    { type: "object", properties: { a: { ...text, default: "x" } }, required: ["a"] },
    { a: "y" },
    {},
  ],
  "additionalProperties: false": [{ type: "object", additionalProperties: false }, {}, { a: 1 }],
  additionalProperties: [{ type: "object", additionalProperties: number }, { a: 1 }, { a: "1" }],
  patternProperties: [{ type: "object", patternProperties: { "^n_": number } }, { n_a: 1, b: "x" }, { n_a: "1" }],
  propertyNames: [{ type: "object", propertyNames: { maxLength: 2, type: "string" } }, { ab: 1 }, { abc: 1 }],
  minProperties: [{ type: "object", minProperties: 1 }, { a: 1 }, {}],
  maxProperties: [{ type: "object", maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
  anyOf: [{ anyOf: [text, number] }, 1, true],
  oneOf: [{ oneOf: [number, { type: "integer" }] }, 1.5, 1],
  allOf: [
    {
      allOf: [
        { ...number, minimum: 1 },
        { ...number, maximum: 3 },
      ],
    },
    2,
    4,
  ],
  "anyOf beside a type": [{ ...number, anyOf: [{ ...number, maximum: 1 }, { const: 9 }] }, 9, 8],
  "not: {}": [{ anyOf: [text, { not: {} }] }, "a", 1],
  $ref: [{ $ref: "#/$defs/short" }, "ab", "abc"],
  "a recursive $ref": [{ $ref: "#/$defs/tree" }, { next: { next: {} } }, { next: { next: 1 } }],
  "a $ref to a property": [{ anyOf: [number, { $ref: "#/properties/a~1b" }] }, "ab", "abc"],
  "a $ref to definitions": [{ $ref: "#/definitions/short" }, "ab", "abc"],
  "a $ref into a definition": [{ $ref: "#/$defs/tree/properties/next" }, { next: {} }, { next: 1 }],
  "a $ref that leads to another": [{ $ref: "#/definitions/other" }, "ab", "abc"],
  nullable: [{ ...text, nullable: true }, null, 1],
  "nullable beside enum": [{ ...text, enum: ["a", null], nullable: true }, null, "b"],
  "nullable: false": [{ ...text, nullable: false }, "a", null],
  "contentEncoding, which only describes": [{ ...text, contentEncoding: "base64" }, "a", 1],
};

const definitions = { short: { $ref: "#/$defs/short" }, other: { $ref: "#/definitions/short" } };
const $defs = {
  short: { type: "string", maxLength: 2 },
  tree: { type: "object", properties: { next: { $ref: "#/$defs/tree" } } },
};

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

describe("a JSON Schema", () => {
  for (const [keyword, [schema, fits, fails]] of Object.entries(honoured)) {
    test(`is honoured in ${keyword}, as in another validator`, async () => {
      const properties = { value: schema, "a/b": { type: "string", maxLength: 2 } };
      const whole = { type: "object", properties, required: ["value"], $defs, definitions };
      const output = createOutputSchema(whole);
      expect(await output.validate({ value: fits })).toEqual({ ok: true, value: { value: fits } });
      expect((await output.validate({ value: fails })).ok).toBe(false);
      expect([{ value: fits }, { value: fails }].map((value) => ajv.validate(whole, value))).toEqual([true, false]);
    });
  }

  test("of an older draft has its definitions under their old name", async () => {
    const $schema = "http://json-schema.org/draft-07/schema#";
    const properties = { value: { $ref: "#/definitions/short" } };
    const output = createOutputSchema({ $schema, type: "object", properties, definitions: { short: $defs.short } });
    expect((await output.validate({ value: "ab" })).ok).toBe(true);
    expect((await output.validate({ value: "abc" })).ok).toBe(false);
  });

  test("is sent to the host as it was written, except for its dialect", () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object", required: ["a"] };
    expect(createOutputSchema(schema).jsonSchema).toEqual({ type: "object", required: ["a"] });
  });

  test("may carry annotations anywhere", async () => {
    const notes = { title: "t", description: "d", examples: [1], deprecated: true, "x-order": 1, $comment: "c" };
    const output = createOutputSchema({ type: "object", properties: { a: { ...notes, ...number } }, ...notes });
    expect((await output.validate({ a: 1 })).ok).toBe(true);
    expect((await output.validate({ a: "1" })).ok).toBe(false);
  });

  test("does not share ids with other schemas", () => {
    const schema = { $id: "https://example.com/a", type: "object" };
    expect([1, 2].map(() => createOutputSchema(schema).jsonSchema.$id)).toEqual([schema.$id, schema.$id]);
  });
});

/** Unsupported parts are refused, and the error names their path. */
const refused: Record<string, [schema: unknown, place: string]> = {
  if: [{ type: "object", if: {}, else: false }, '"if"'],
  "not with a schema": [{ not: text }, '"not"'],
  dependentRequired: [{ type: "object", dependentRequired: { a: ["b"] } }, '"dependentRequired"'],
  dependencies: [{ type: "object", dependencies: { a: ["b"] } }, '"dependencies"'],
  unevaluatedProperties: [{ type: "object", unevaluatedProperties: false }, '"unevaluatedProperties"'],
  "nullable without a type": [{ anyOf: [text, number], nullable: true }, '"nullable"'],
  $dynamicRef: [{ $dynamicRef: "#a" }, '"$dynamicRef"'],
  "a misspelt keyword": [{ ...text, maxLenght: 3 }, '"maxLenght"'],
  "an unknown format": [{ ...text, format: "idn-email" }, '"idn-email"'],
  "a format that Zod reads more narrowly": [{ ...text, format: "uri-reference" }, '"uri-reference"'],
  "an unknown type": [{ type: "text" }, "text"],
  "a keyword without its type": [{ properties: { a: text } }, '"properties" without its type'],
  "required without a type in anyOf": [
    { type: "object", anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    'anyOf/0 has "required"',
  ],
  "a keyword of another type": [{ ...number, minLength: 3 }, '"minLength" without its type'],
  "a keyword beside enum": [{ ...text, enum: ["a", "bb"], maxLength: 1 }, '"maxLength" together with "enum"'],
  "anyOf beside const": [{ const: "a", anyOf: [text] }, '"anyOf" together with "const"'],
  "values of another type in enum": [{ ...text, enum: ["a", 1] }, "not of its type"],
  "objects in enum": [{ enum: [{ a: 1 }] }, "an object or a list in its enum"],
  "a list as const": [{ const: [1] }, "an object or a list in its const"],
  "a keyword beside $ref": [{ $ref: "#/$defs/short", minLength: 2 }, '"minLength" together with "$ref"'],
  "a $ref to another document": [{ $ref: "https://example.com/a.json" }, "$ref to something else"],
  "a $ref to nothing": [{ $ref: "#/$defs/none" }, "Reference not found"],
  "a $ref to a place that is not there": [{ $ref: "#/properties/other" }, "Reference not found: #/properties/other"],
  "a schema for additionalProperties together with patternProperties": [
    { type: "object", patternProperties: { a: text }, additionalProperties: number },
    "together with patternProperties",
  ],
  "a list as items": [{ type: "array", items: [text] }, "prefixItems"],
  "an invalid pattern": [{ ...text, pattern: "(" }, "regular expression"],
  "an empty anyOf": [{ anyOf: [] }, "not a list of schemas"],
  "a value that is no schema": [5, "is not a schema"],
};

describe("a JSON Schema is refused with an error that names the path", () => {
  for (const [title, [schema, place]] of Object.entries(refused)) {
    test(`for ${title}`, () => {
      const create = () => createOutputSchema({ type: "object", properties: { value: schema }, $defs });
      expect(create).toThrow(InvalidRequestError);
      expect(create).toThrow(place);
      expect(create).toThrow("Remove that part, or pass a Zod object.");
    });
  }

  test("if it does not describe an object", () => {
    for (const schema of [{ type: "array" }, {}, { type: ["object", "null"] }, { anyOf: [{ type: "object" }] }]) {
      expect(() => createOutputSchema(schema)).toThrow('must have type "object"');
    }
  });

  test("if it has a cycle", () => {
    const schema: Record<string, unknown> = { type: "object" };
    schema.properties = { self: schema };
    expect(() => createOutputSchema(schema)).toThrow(InvalidRequestError);
  });
});

const leaf = fc.constantFrom<JsonSchema>(
  text,
  number,
  { type: "integer", minimum: 0 },
  { enum: ["a", 1] },
  { type: "null" },
);
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.record({ type: fc.constant("array"), items: tie("schema"), minItems: fc.nat(2) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
      required: fc.subarray(["a", "b", "c"]),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
  ),
}));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>("a", 1, -1, 0.5, null, true),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value")),
  ),
}));

test("schemas and values of any shape are validated as in another validator", async () => {
  await fc.assert(
    fc.asyncProperty(schema, value, async (inner, candidate) => {
      const whole = { type: "object", properties: { value: inner }, required: ["value"] };
      const checked = await createOutputSchema(whole).validate({ value: candidate });
      expect(checked.ok).toBe(ajv.compile(whole)({ value: candidate }));
      if (checked.ok) expect(checked.value).toEqual({ value: candidate });
    }),
    { numRuns: 300 },
  );
});

describe("a Zod object", () => {
  test("validates with its own transforms and refinements", async () => {
    const output = createOutputSchema(z.object({ day: z.iso.date().transform((day) => new Date(day)) }));
    expect(output.jsonSchema).toMatchObject({ type: "object", properties: { day: { type: "string" } } });
    expect(await output.validate({ day: "2026-01-31" })).toEqual({ ok: true, value: { day: new Date("2026-01-31") } });
    expect(await output.validate({ day: "x" })).toMatchObject({ ok: false, issues: [{ path: "day" }] });
  });

  test("that JSON cannot describe is refused", () => {
    expect(() => createOutputSchema(z.object({ at: z.date() }))).toThrow(/no JSON Schema: Date/);
    expect(() => createOutputSchema(z.string())).toThrow('type "string", but must have type "object"');
  });
});
