import { expect, test } from "vitest";
import { describeInput } from "./described-input.ts";

const schema = {
  type: "object",
  properties: { id: { type: "string" }, lines: { type: "array", items: { type: "integer", minimum: 1 } } },
  required: ["id"],
  additionalProperties: false,
};

test("an input that fits its JSON Schema has no problems, and the schema is shown as it is", () => {
  const input = describeInput(schema);
  expect(input.problems({ id: "A-1", lines: [1, 2] })).toEqual([]);
  expect(input.jsonSchema).toBe(schema);
});

test("each problem of an input is a sentence that names the field", () => {
  const problems = describeInput(schema).problems({ lines: [0], more: true });
  expect(problems.join("\n")).toMatch(/id: .*string[\s\S]*lines[.[]0\]?: [\s\S]*more/);
});

test("a schema that cannot be checked is refused with its place", () => {
  expect(() => describeInput({ type: "object", properties: { id: { type: "string", maxlength: 3 } } })).toThrow(
    '#/properties/id has the keyword "maxlength", which is not supported',
  );
});
