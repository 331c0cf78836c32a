import {
  assertDepth,
  getErrorMessage,
  InvalidRequestError,
  isPlainObject,
  type JsonSchema,
  type ValidationIssue,
} from "@bridle/protocol";
import { z } from "zod";
import { runInTime } from "../system/run-in-time.ts";
import { checkable } from "./json-schema-limits.ts";

/** The schema of an object: as it is sent to the host, and the original schema, which decides. */
export interface OutputSchema<T> {
  jsonSchema: JsonSchema;
  validate(value: unknown): Promise<ValidationResult<T>>;
}

export type ValidationResult<T> = { ok: true; value: T } | { ok: false; issues: ValidationIssue[] };

/** Takes a Zod object or a JSON Schema of type `object`. Throws InvalidRequestError for anything else. */
export function createOutputSchema<T>(schema: z.ZodType<T> | JsonSchema): OutputSchema<T> {
  const zod = isZod(schema);
  const jsonSchema = zod ? toJsonSchema(schema) : schema;
  if (jsonSchema.type !== "object") throw notAnObject(jsonSchema);
  const type = zod ? schema : fromJsonSchema<T>(schema);
  const { $schema: _dialect, ...sent } = jsonSchema;
  return { jsonSchema: sent, validate: (value) => validate(type, value) };
}

/** A check that takes longer is aborted: a pattern such as `^(a+)+$` in a schema can take years. */
const checkMs = 2000;
const slowIssue: ValidationIssue = {
  path: "",
  message: "a pattern of the schema takes too long on this object. Use shorter or simpler values",
};

async function validate<T>(type: z.ZodType<T>, value: unknown): Promise<ValidationResult<T>> {
  const checked = runInTime(() => type.safeParseAsync(value), checkMs);
  if (checked === undefined) return { ok: false, issues: [slowIssue] };
  const parsed = await checked.value;
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
      `The output schema has no JSON Schema: ${getErrorMessage(cause)}. Use types that JSON can hold.`,
      { cause },
    );
  }
}

/** `T` is the caller's claim, because a JSON Schema has no type. */
function fromJsonSchema<T>(schema: JsonSchema): z.ZodType<T> {
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

function isZod<T>(value: z.ZodType<T> | JsonSchema): value is z.ZodType<T> {
  return isPlainObject(value) && isPlainObject(value._zod);
}
