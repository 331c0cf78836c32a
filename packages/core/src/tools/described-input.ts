import {
  assertDepth,
  type DescribedInput,
  getErrorMessage,
  InvalidRequestError,
  type JsonSchema,
} from "@bridle/protocol";
import { z } from "zod";
import { readIssues } from "../schemas/check-value.ts";
import { checkable } from "../schemas/json-schema-limits.ts";
import { describeProblems } from "./tool-replies.ts";

/**
 * Creates an input that a JSON Schema describes and validates. Throws InvalidRequestError, with the path and a remedy, if part of the
 * schema is not supported.
 *
 * @example
 * describeInput({ type: "object", properties: { id: { type: "string" } }, required: ["id"] })
 */
export function describeInput(jsonSchema: JsonSchema): DescribedInput {
  const type = readSchema(jsonSchema);
  return {
    jsonSchema,
    problems(input) {
      const parsed = z.safeParse(type, input, { reportInput: true });
      return parsed.success ? [] : describeProblems(readIssues(parsed.error));
    },
  };
}

function readSchema(jsonSchema: JsonSchema): z.ZodType {
  try {
    assertDepth(jsonSchema);
    return z.fromJSONSchema(checkable(jsonSchema) as z.core.JSONSchema.JSONSchema, { registry: z.registry() });
  } catch (cause) {
    const reason = getErrorMessage(cause);
    throw new InvalidRequestError(
      `The input schema is not supported: ${reason}. Remove that part, or pass a Zod object.`,
      {
        cause,
      },
    );
  }
}
