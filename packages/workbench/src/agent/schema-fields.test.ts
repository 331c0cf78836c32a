import { expect, test } from "vitest";
import { describeInput, schemaFields } from "./schema-fields.ts";

test("a schema becomes a list of its fields with their types, limits and defaults", () => {
  const schema = {
    type: "object",
    required: ["id"],
    properties: {
      id: { type: "string", description: "Such as A-1" },
      state: { enum: ["open", "closed"], default: "open" },
      lines: { type: "array", items: { type: "object", properties: { count: { type: "integer", minimum: 1 } } } },
    },
  };
  expect(schemaFields(schema)).toEqual([
    { name: "id", type: "string", isRequired: true, description: "Such as A-1" },
    { name: "state", type: '"open" | "closed"', isRequired: false, description: 'default "open"' },
    { name: "lines", type: "list of object", isRequired: false, description: "" },
    { name: "lines[].count", type: "integer", isRequired: false, description: "minimum 1" },
  ]);
});

test("what is no schema has no fields, and a schema in itself ends", () => {
  const endless: { type: string; properties: Record<string, unknown> } = { type: "object", properties: {} };
  endless.properties.again = endless;
  expect(schemaFields(null)).toEqual([]);
  expect(schemaFields({ properties: [1] })).toEqual([]);
  expect(schemaFields(endless)).toHaveLength(4);
});

test("an input without fields is told from one whose fields stand elsewhere in its schema", () => {
  expect(describeInput({ properties: { id: { type: "string" } } })).toBe("1 field");
  expect(describeInput({ type: "object", properties: {} })).toBe("no fields");
  expect(describeInput({ type: "object", additionalProperties: false })).toBe("no fields");
  expect(describeInput({ $ref: "#/$defs/order" })).toBe("see the schema");
  expect(describeInput({ anyOf: [{ properties: { id: {} } }, { properties: { name: {} } }] })).toBe("see the schema");
  expect(describeInput({ type: "object", additionalProperties: { type: "string" } })).toBe("see the schema");
  expect(describeInput({ type: "object", additionalProperties: true })).toBe("see the schema");
  expect(describeInput({ type: "object" })).toBe("no fields");
});
