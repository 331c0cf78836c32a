import { z } from "zod";
import { InvalidRequestError, type ValidationIssue } from "./errors.ts";
import { isPlainObject, type JsonSchema } from "./json.ts";

/** What `generateObject` asks for: the schema that the host is given, and the original one that decides. */
export interface OutputSchema {
  jsonSchema: JsonSchema;
  validate(value: unknown): Promise<{ ok: true; value: unknown } | { ok: false; issues: ValidationIssue[] }>;
}

/** Takes a Zod object or a JSON Schema of type `object`. Throws InvalidRequestError for anything else. */
export function createOutputSchema(schema: z.ZodType | JsonSchema): OutputSchema {
  const [type, jsonSchema] = isZod(schema) ? [schema, toJsonSchema(schema)] : [fromJsonSchema(schema), schema];
  if (jsonSchema.type !== "object") throw notAnObject(jsonSchema);
  const { $schema: _dialect, ...sent } = jsonSchema;
  return { jsonSchema: sent, validate: (value) => validate(type, value) };
}

async function validate(type: z.ZodType, value: unknown): ReturnType<OutputSchema["validate"]> {
  if (value === undefined) return { ok: false, issues: [{ path: "", message: "No object was given." }] };
  const parsed = await type.safeParseAsync(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, issues: parsed.error.issues.map(toIssue) };
}

function toIssue({ path, message }: z.core.$ZodIssue): ValidationIssue {
  return { path: z.core.toDotPath(path), message };
}

function toJsonSchema(type: z.ZodType): JsonSchema {
  try {
    return { ...z.toJSONSchema(type, { io: "input" }) };
  } catch (cause) {
    throw new InvalidRequestError(
      `The output schema has no JSON Schema: ${reason(cause)}. Use types that JSON can hold.`,
      { cause },
    );
  }
}

function fromJsonSchema(schema: JsonSchema): z.ZodType {
  if (schema.type !== "object") throw notAnObject(schema);
  try {
    return z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema);
  } catch (cause) {
    throw new InvalidRequestError(
      `The output schema cannot be checked here: ${reason(cause)}. Leave that keyword out, or give a Zod object.`,
      { cause },
    );
  }
}

function notAnObject(schema: JsonSchema): InvalidRequestError {
  const found = schema.type === undefined ? "no type" : `type ${JSON.stringify(schema.type)}`;
  return new InvalidRequestError(
    `The output schema has ${found}, but an object is needed. Wrap the value: { "type": "object", "properties": { "value": … } }.`,
  );
}

function isZod(value: z.ZodType | JsonSchema): value is z.ZodType {
  return isPlainObject(value) && isPlainObject(value._zod);
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
