import { type AnyTool, defineTool, ToolSchemaError } from "@bridle/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createToolbox, normaliseToolName } from "./toolbox.ts";

describe("a toolbox", () => {
  test("sends the model every parameter: types, descriptions, enums, defaults, nested and required fields", () => {
    const input = z.object({
      id: z.string().describe("The order's number"),
      status: z.enum(["open", "shipped"]).default("open"),
      lines: z.array(z.object({ sku: z.string(), count: z.int().min(1).optional() })),
    });
    expect(createToolbox([tool({ input })]).declarations[0]?.inputSchema).toEqual({
      type: "object",
      properties: {
        id: { type: "string", description: "The order's number" },
        status: { type: "string", enum: ["open", "shipped"], default: "open" },
        lines: {
          type: "array",
          items: {
            type: "object",
            properties: { sku: { type: "string" }, count: expect.objectContaining({ type: "integer", minimum: 1 }) },
            required: ["sku"],
          },
        },
      },
      required: ["id", "lines"],
    });
  });

  test("describes the input before transforms, not the parsed one", () => {
    const input = z.object({ day: z.string().transform((text) => new Date(text)) });
    expect(createToolbox([tool({ input })]).declarations[0]?.inputSchema.properties).toEqual({
      day: { type: "string" },
    });
  });

  test("sends an external JSON Schema unchanged, and refuses one that is no object or cannot be checked", () => {
    const jsonSchema = { type: "object", properties: { a: { oneOf: [{ const: 1 }, { const: "x" }] } }, "x-own": true };
    const problems = () => [];
    expect(createToolbox([tool({ input: { jsonSchema, problems } })]).declarations[0]?.inputSchema).toBe(jsonSchema);
    const text = { jsonSchema: { type: "string" }, problems };
    expect(() => createToolbox([tool({ input: text })])).toThrow("has an input schema that is not an object");
    const unchecked = Object.assign({ jsonSchema, problems }, { problems: undefined });
    expect(() => createToolbox([tool({ input: unchecked as never })])).toThrow("that nothing checks");
  });

  test("finds its tools by the names that were sent to the model", () => {
    const dotted = tool({ name: "orders.find" });
    const toolbox = createToolbox([dotted]);
    expect(toolbox.find("orders_find")).toBe(dotted);
    expect(toolbox.find("orders.find")).toBeUndefined();
    expect(toolbox.find("constructor")).toBeUndefined();
  });
});

const unsendable: Record<string, z.ZodType> = {
  date: z.date(),
  bigint: z.bigint(),
  symbol: z.symbol(),
  undefined: z.undefined(),
  void: z.void(),
  nan: z.nan(),
  map: z.map(z.string(), z.string()),
  set: z.set(z.string()),
  file: z.file(),
  promise: z.promise(z.string()),
  custom: z.custom<string>(),
  "class instance": z.instanceof(URL),
  "bigint literal": z.literal(1n),
};

describe("a tool is refused, with its name and field,", () => {
  for (const [kind, type] of Object.entries(unsendable)) {
    test(`for a field of type ${kind}`, () => {
      const input = z.object({ fine: z.string(), odd: type });
      expect(refusal(tool({ input }))).toMatchObject({ tool: "t", field: "odd", code: "tool_schema" });
      expect(refusal(tool({ input })).message).toMatch(/The tool t .*"odd".*z\.string\(\)/s);
    });
  }

  test("if the field is deeply nested", () => {
    const input = z.object({ order: z.object({ properties: z.array(z.object({ at: z.date().optional() })) }) });
    expect(refusal(tool({ input }))).toMatchObject({ field: "order.properties.at" });
  });

  test("if its input is no Zod object", () => {
    const inputs = [z.string(), z.array(z.string()), z.object({}).transform(String), { type: "object" }, undefined];
    for (const input of inputs) expect(refusal(unchecked({ input })).message).toContain("needs a Zod object");
  });

  test("for a missing name, description or execute, and for a value that is no tool", () => {
    expect(refusal(unchecked({ name: undefined })).message).toContain("has no name");
    expect(refusal(unchecked({ description: 5 })).message).toContain("has no description");
    expect(refusal(unchecked({ execute: "run" })).message).toContain("has no execute function");
    expect(() => createToolbox([JSON.parse("null")])).toThrow("The tool null is not an object");
    expect(refusal(tool({ name: "  " })).message).toContain("empty name");
  });

  test("for invalid limits", () => {
    for (const timeoutMs of [0, -1, Number.NaN]) expect(refusal(tool({ timeoutMs })).message).toContain("timeoutMs");
    for (const maxResultChars of [-1, Number.NaN]) {
      expect(refusal(tool({ maxResultChars })).message).toContain("maxResultChars");
    }
    const limitless = { timeoutMs: Number.POSITIVE_INFINITY, maxResultChars: Number.POSITIVE_INFINITY };
    expect(createToolbox([tool(limitless), tool({ name: "u", maxResultChars: 0 })]).declarations).toHaveLength(2);
  });
});

describe("names of tools", () => {
  test("have only characters that every host accepts, and at most 64 of them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (name) => {
        fc.pre(name.trim() !== "");
        const normal = normaliseToolName(name);
        expect(normal).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
        expect(normaliseToolName(normal)).toBe(normal);
      }),
    );
    expect(normaliseToolName("my.tool/🌍!")).toBe("my_tool___");
    expect(normaliseToolName("x".repeat(70))).toHaveLength(64);
  });

  test("that become equal are refused, and the error names both", () => {
    expect(() => createToolbox([tool({ name: "a.b" }), tool({ name: "a b" })])).toThrow('"a.b" and "a b" meet');
    expect(() => createToolbox([tool({}), tool({})])).toThrow('Two tools are named "t"');
    const long = "x".repeat(64);
    expect(() => createToolbox([tool({ name: `${long}1` }), tool({ name: `${long}2` })])).toThrow("meet");
  });

  test("that Bridle reserves are refused, even if they only become reserved", () => {
    expect(() => createToolbox([tool({ name: "read.result" })], ["read_result"])).toThrow("Bridle's own");
  });
});

function tool(parts: Partial<AnyTool>): AnyTool {
  return defineTool({ name: "t", description: "Does it.", input: z.object({}), execute: async () => "", ...parts });
}

/** Creates a tool as untyped code may write it. */
function unchecked(parts: Record<string, unknown>): AnyTool {
  return Object.assign(tool({}), parts);
}

function refusal(odd: AnyTool): ToolSchemaError {
  try {
    createToolbox([odd]);
  } catch (error) {
    if (error instanceof ToolSchemaError) return error;
    throw error;
  }
  throw new Error("The toolbox took it.");
}
