import { describe, expect, test } from "vitest";
import { z } from "zod";
import { isBoundedSchema } from "./bounded-schema.ts";

const bounded: Record<string, z.ZodType> = {
  "plain values": z.object({ a: z.string(), b: z.number(), c: z.boolean(), d: z.null(), e: z.unknown() }),
  "lengths and limits": z.object({ a: z.string().min(1).max(9), b: z.int().positive(), c: z.number().multipleOf(2) }),
  "choices of values": z.object({ a: z.enum(["x", "y"]), b: z.literal(3), c: z.union([z.string(), z.number()]) }),
  "parts that may be missing": z.strictObject({ a: z.string().optional(), b: z.array(z.number().nullable()) }),
};

const unbounded: Record<string, z.ZodType> = {
  "a pattern": z.object({ a: z.string().regex(/^(a+)+$/) }),
  "a pattern deep within": z.object({ a: z.array(z.union([z.number(), z.string().regex(/x/).optional()])) }),
  "a pattern as a check": z.object({ a: z.string().check(z.regex(/x/)) }),
  "the format of a text": z.object({ a: z.email(), b: z.string().url() }),
  "a template": z.object({ a: z.templateLiteral(["a", z.string()]) }),
  "a function as a check": z.object({ a: z.number().refine((value) => value > 1) }),
  "a check of the whole object": z.object({ a: z.number() }).superRefine(() => {}),
  "a transformation": z.object({ a: z.string().transform((text) => text.length) }),
  "a default that is calculated": z.object({ a: z.string().default(() => "x") }),
  "a text that is trimmed": z.object({ a: z.string().trim() }),
  "names with a pattern": z.object({ a: z.record(z.string().regex(/x/), z.number()) }),
  "a value of another type": z.object({ a: z.custom((value) => value === 1) }),
  "a check of unknown properties": z.object({}).catchall(z.string().regex(/x/)),
};

describe("a schema can be checked without a limit of time", () => {
  test.each(Object.entries(bounded))("if it has only %s", (_name, schema) =>
    expect(isBoundedSchema(schema)).toBe(true),
  );
});

describe("a schema is checked within a limit of time", () => {
  test.each(Object.entries(unbounded))("if it has %s", (_name, schema) => {
    expect(isBoundedSchema(schema)).toBe(false);
    expect(isBoundedSchema(schema)).toBe(false);
  });

  test("if it contains itself", () => {
    const Tree: z.ZodType = z.object({
      get children() {
        return z.union([z.array(Tree), Tree]).optional();
      },
    });
    expect(isBoundedSchema(Tree)).toBe(false);
  });

  test("if shared parts make it large: 30 unions, each of the next one twice", () => {
    let schema: z.ZodType = z.number();
    for (let level = 0; level < 30; level++) schema = z.union([z.array(schema), z.array(schema)]);
    expect(isBoundedSchema(schema)).toBe(false);
  });

  test("if it has more than a thousand parts", () => {
    const many = (count: number) =>
      z.object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, z.number()])));
    expect([many(900), many(1100)].map(isBoundedSchema)).toEqual([true, false]);
  });
});
