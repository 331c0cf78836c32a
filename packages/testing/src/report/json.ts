import { z } from "zod";
import { type TestRun, testRunSchema } from "../result/test-run.ts";

export function jsonReport(run: TestRun): string {
  return `${JSON.stringify(run, null, 2)}\n`;
}

/** Returns the JSON Schema (draft 2020-12) of JSON reports and of `--json`. It allows unknown keys, because later versions may add keys. */
export function testRunJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(testRunSchema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
}
