import {
  defineTool,
  InvalidRequestError,
  type StandardJsonSchema,
  type StandardSchema,
  ToolSchemaError,
} from "@bridle/protocol";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseInput } from "../tools/execute-tool.ts";
import { createToolbox } from "../tools/toolbox.ts";
import { createOutputSchema } from "./output-schema.ts";

/** Creates a schema of a library other than Zod: a function with a transform, as in ArkType. */
function otherLibrary(jsonSchema: Record<string, unknown>): StandardJsonSchema<{ id: number }> {
  const standard: StandardJsonSchema<{ id: number }>["~standard"] = {
    version: 1,
    vendor: "other",
    validate(value) {
      const id = Number(Reflect.get(Object(value), "id"));
      return Number.isNaN(id) ? { issues: [{ message: "no number", path: [{ key: "id" }] }] } : { value: { id } };
    },
    jsonSchema: { input: ({ target }) => ({ $schema: target, ...jsonSchema }) },
  };
  return Object.assign(() => undefined, { "~standard": standard });
}

const idObject = { type: "object", properties: { id: { type: "string" } } };
const without = { "~standard": { version: 1 as const, vendor: "other", validate: () => ({ value: {} }) } };
const zod3 = { _def: { typeName: "ZodObject" }, parse: () => ({}) };
const toolWith = (input: unknown) =>
  defineTool({ name: "t", description: "Does it.", input: input as typeof without, execute: async () => "" });

describe("a schema of another library", () => {
  const schema = otherLibrary(idObject);

  test("describes the input of a tool, and validates and transforms what the model sends", async () => {
    const tool = toolWith(schema);
    expect(createToolbox([tool]).declarations[0]?.inputSchema).toEqual(idObject);
    expect(await parseInput(tool, { id: "7" })).toEqual({ ok: true, input: { id: 7 } });
    expect(await parseInput(tool, { id: "x" })).toMatchObject({
      reply: expect.stringContaining('- id: no number; received "x"'),
    });
  });

  test("describes an object, and validates and transforms the answer", async () => {
    const output = createOutputSchema(schema);
    expect(output.jsonSchema).toEqual(idObject);
    expect(await output.validate({ id: "7" })).toEqual({ ok: true, value: { id: 7 } });
    expect(await output.validate({})).toEqual({ ok: false, issues: [{ path: "id", message: "no number" }] });
  });

  test("is refused if it is no object", () => {
    const text = otherLibrary({ type: "string" });
    expect(() => createToolbox([toolWith(text)])).toThrow('The tool "t" has an input schema that is not an object');
    expect(() => createOutputSchema(text)).toThrow('must have type "object"');
  });

  test("is refused if its JSON Schema is not JSON", () => {
    const cyclic: Record<string, unknown> = { type: "object" };
    cyclic.properties = { self: cyclic };
    const bigint = { type: "object", properties: { id: { const: 1n } } };
    const schemas: StandardSchema[] = [
      otherLibrary(cyclic),
      otherLibrary(bigint),
      z.object({ id: z.string().meta({ at: 1n }) }),
    ];
    for (const schema of schemas) {
      expect(() => createToolbox([toolWith(schema)])).toThrow(ToolSchemaError);
      expect(() => createOutputSchema(schema)).toThrow(InvalidRequestError);
    }
  });

  test("is refused with a remedy if it has no JSON Schema", () => {
    expect(() => createToolbox([toolWith(without)])).toThrow(/schema of other without a JSON Schema.*describeInput/);
    expect(() => createOutputSchema(without)).toThrow(/schema of other without a JSON Schema.*pass a JSON Schema/);
  });
});

test("a schema of Zod 3 is refused, and the error names the ways out", () => {
  expect(() => createToolbox([toolWith(zod3)])).toThrow(ToolSchemaError);
  expect(() => createToolbox([toolWith(zod3)])).toThrow(
    /"t" has an input that is a schema of Zod 3.*zod@4.*describeInput/,
  );
  expect(() => createOutputSchema(zod3)).toThrow(InvalidRequestError);
  expect(() => createOutputSchema(zod3)).toThrow(/The output schema is a schema of Zod 3.*pass a JSON Schema/);
});

test("descriptions that only the schema itself knows reach the model, as in copies of Zod with their own registry", () => {
  const id = Object.assign(z.string(), { meta: () => ({ description: "The number" }) });
  expect(createToolbox([toolWith(z.object({ id }))]).declarations[0]?.inputSchema.properties).toEqual({
    id: { type: "string", description: "The number" },
  });
});
