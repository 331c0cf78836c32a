import { z } from "zod";
import type { JsonSchema } from "./json.ts";
import { checkable } from "./json-schema-limits.ts";
import type { DescribedInput } from "./tool.ts";
import { problemsOf } from "./tool-replies.ts";

/**
 * An input that a JSON Schema describes, checked by that schema. Throws an Error that names the place in the schema which
 * cannot be checked here, and what to do.
 *
 * @example
 * describeInput({ type: "object", properties: { id: { type: "string" } }, required: ["id"] })
 */
export function describeInput(jsonSchema: JsonSchema): DescribedInput {
  const document = checkable(jsonSchema) as z.core.JSONSchema.JSONSchema;
  const type = z.fromJSONSchema(document, { registry: z.registry() });
  return {
    jsonSchema,
    problems(input) {
      const parsed = z.safeParse(type, input, { reportInput: true });
      return parsed.success ? [] : problemsOf(parsed.error);
    },
  };
}
