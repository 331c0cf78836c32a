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

test("a schema that cannot be checked is refused with its path", () => {
  expect(() => describeInput({ type: "object", properties: { id: { type: "string", maxlength: 3 } } })).toThrow(
    '#/properties/id has the keyword "maxlength", which is not supported',
  );
});
