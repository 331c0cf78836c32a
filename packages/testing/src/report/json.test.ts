import { expect, test } from "vitest";
import { testRunSchema } from "../result/test-run.ts";
import { testRunJsonSchema } from "./json.ts";
import { report } from "./report.ts";
import { sampleRun } from "./sample-run-for-tests.ts";

const run = sampleRun({ cases: 20, trials: 2, hostile: true });

test("the JSON report is the unchanged run, indented by two, with a final newline", () => {
  const text = report(run, "json");
  expect(testRunSchema.parse(JSON.parse(text))).toEqual(run);
  expect(text.startsWith('{\n  "id": ')).toBe(true);
  expect(text.endsWith("\n}\n")).toBe(true);
});

test("the JSON Schema has every key of a run and allows others", () => {
  const schema = testRunJsonSchema();
  expect(schema).toMatchObject({ $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" });
  expect(schema).toHaveProperty("required", Object.keys(run));
  expect(JSON.stringify(schema)).not.toContain('"additionalProperties":false');
});
