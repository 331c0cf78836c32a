import { expect, test } from "vitest";
import { z } from "zod";
import { toStrictSchema } from "./output-schema.ts";

const strictOf = (type: z.ZodType) => toStrictSchema({ ...z.toJSONSchema(type, { io: "input" }) });

test("every object is closed, at every depth, and a schema without optional parts is strict", () => {
  const { schema, strict, dropped } = strictOf(z.object({ at: z.array(z.object({ x: z.number() })) }));
  expect(strict).toBe(true);
  expect(dropped).toEqual([]);
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: { at: { items: { additionalProperties: false, required: ["x"] } } },
  });
});

test.each([
  ["an optional property", z.object({ a: z.string().optional() })],
  ["open properties", z.object({ a: z.record(z.string(), z.number()) })],
  ["an object without properties", z.object({})],
])("a schema with %s is not strict", (_, type) => {
  expect(strictOf(type).strict).toBe(false);
});

test("refused keywords are left out, and each is listed once", () => {
  const type = z.object({ a: z.string().default("x"), b: z.string().default("y"), c: z.url(), d: z.iso.date() });
  const { schema, dropped } = strictOf(type);
  expect(dropped).toEqual(["default", "format uri"]);
  expect(JSON.stringify(schema)).not.toMatch(/default|"uri"/);
  expect(JSON.stringify(schema)).toContain('"format":"date"');
});

test("properties and values with the names of keywords stay", () => {
  const type = z.object({ default: z.string(), not: z.enum(["default", "contains"]), format: z.literal("uri") });
  const { schema, dropped } = strictOf(type);
  expect(dropped).toEqual([]);
  expect(schema).toMatchObject({
    properties: { default: { type: "string" }, not: { enum: ["default", "contains"] }, format: { const: "uri" } },
    required: ["default", "not", "format"],
  });
});
