import { assertDepth, type DescribedInput, type JsonSchema } from "@bridle/protocol";
import { z } from "zod";
import { readIssues } from "../schemas/check-value.ts";
import { checkable } from "../schemas/json-schema-limits.ts";
import { describeProblems } from "./tool-replies.ts";

/**
 * An input that is described and validated by a JSON Schema. Throws an Error if part of the schema is not supported, with the
 * path and a remedy.
 *
 * @example
 * describeInput({ type: "object", properties: { id: { type: "string" } }, required: ["id"] })
 */
export function describeInput(jsonSchema: JsonSchema): DescribedInput {
  assertDepth(jsonSchema);
  const document = checkable(jsonSchema) as z.core.JSONSchema.JSONSchema;
  const type = z.fromJSONSchema(document, { registry: z.registry() });
  return {
    jsonSchema,
    problems(input) {
      const parsed = z.safeParse(type, input, { reportInput: true });
      return parsed.success ? [] : describeProblems(readIssues(parsed.error));
    },
  };
}
