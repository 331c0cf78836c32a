import {
  assertDepth,
  getErrorMessage,
  InvalidRequestError,
  type JsonSchema,
  type StandardSchema,
  type ValidationIssue,
} from "@bridle/protocol";
import { z } from "zod";
import { checkValue } from "./check-value.ts";
import { checkable } from "./json-schema-limits.ts";
import { toJsonSchema } from "./schema-json.ts";
import { explainUnusable, isStandard } from "./schema-library.ts";

/** The schema of an object: the form that is sent to the host, and the original, which validates the object. */
export interface OutputSchema<T> {
  jsonSchema: JsonSchema;
  validate(value: unknown): Promise<ValidationResult<T>>;
}

export type ValidationResult<T> = { ok: true; value: T } | { ok: false; issues: ValidationIssue[] };

/**
 * Creates an output schema from a Zod object, a schema of another library, or a JSON Schema of type `object`. Throws InvalidRequestError
 * for anything else.
 */
export function createOutputSchema<T>(schema: StandardSchema<T> | JsonSchema): OutputSchema<T> {
  const jsonSchema = describe(schema);
  if (jsonSchema.type !== "object") throw notAnObject(jsonSchema);
  const type = isStandard(schema) ? (schema as StandardSchema<T>) : fromJsonSchema<T>(schema as JsonSchema);
  return { jsonSchema, validate: (value) => validate(type, value) };
}

const slowIssue: ValidationIssue = {
  path: "",
  message: "a pattern of the schema takes too long on this object. Use shorter or simpler values",
};

async function validate<T>(type: StandardSchema<T>, value: unknown): Promise<ValidationResult<T>> {
  const checked = await checkValue(type, value);
  if (checked === undefined) return { ok: false, issues: [slowIssue] };
  return checked.ok ? checked : { ok: false, issues: checked.problems.map(({ path, message }) => ({ path, message })) };
}

function describe(schema: StandardSchema | JsonSchema): JsonSchema {
  const problem = explainUnusable(schema, "a JSON Schema");
  if (problem !== undefined) throw new InvalidRequestError(`The output schema ${problem}`);
  try {
    if (isStandard(schema)) return toJsonSchema(schema);
  } catch (cause) {
    throw new InvalidRequestError(
      `The output schema has no JSON Schema: ${getErrorMessage(cause)}. Use types that JSON can hold.`,
      { cause },
    );
  }
  const { $schema: _dialect, ...sent } = schema as JsonSchema;
  return sent;
}

/** Converts a JSON Schema. `T` is the caller's claim, because a JSON Schema has no TypeScript type. */
function fromJsonSchema<T>(schema: JsonSchema): StandardSchema<T> {
  try {
    assertDepth(schema);
    const document = checkable(schema) as z.core.JSONSchema.JSONSchema;
    return z.fromJSONSchema(document, { registry: z.registry() }) as z.ZodType<T>;
  } catch (cause) {
    throw new InvalidRequestError(
      `The output schema is not supported: ${getErrorMessage(cause)}. Remove that part, or pass a Zod object.`,
      { cause },
    );
  }
}

function notAnObject(schema: JsonSchema): InvalidRequestError {
  const found = schema.type === undefined ? "no type" : `type ${JSON.stringify(schema.type)}`;
  return new InvalidRequestError(
    `The output schema has ${found}, but must have type "object". Wrap the value: { "type": "object", "properties": { "value": … } }.`,
  );
}
