import { InvalidRequestError } from "@bridle/protocol";
import { expect, test } from "vitest";
import { describeInput } from "./described-input.ts";

const schema = {
  type: "object",
  properties: { id: { type: "string" }, lines: { type: "array", items: { type: "integer", minimum: 1 } } },
  required: ["id"],
  additionalProperties: false,
};

test("an input that matches its JSON Schema has no problems, and the schema is sent unchanged", () => {
  const input = describeInput(schema);
  expect(input.problems({ id: "A-1", lines: [1, 2] })).toEqual([]);
  expect(input.jsonSchema).toBe(schema);
});

test("each problem of an input is one sentence that names the field", () => {
  const problems = describeInput(schema).problems({ lines: [0], more: true });
  expect(problems.join("\n")).toMatch(/id: .*string[\s\S]*lines[.[]0\]?: [\s\S]*more/);
});

test("a schema as other libraries write it is checked, with references to its own properties and definitions", () => {
  const address = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
  const input = describeInput({
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: { home: address, work: { $ref: "#/properties/home" }, note: { type: "string", nullable: true } },
    definitions: { address },
  });
  expect(input.problems({ home: { city: "Rome" }, work: { city: "Oslo" }, note: null })).toEqual([]);
  expect(input.problems({ work: { city: 5 } }).join()).toContain("work.city");
});

test("a schema that cannot be checked is refused with its path and the remedy", () => {
  const create = () => describeInput({ type: "object", properties: { id: { type: "string", maxlength: 3 } } });
  expect(create).toThrow(InvalidRequestError);
  expect(create).toThrow(
    'The input schema is not supported: #/properties/id has the keyword "maxlength", which is not supported. Remove',
  );
});
