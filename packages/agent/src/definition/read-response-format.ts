import { describeJsonFault } from "@bridle/core";
import { isPlainObject, type JsonSchema } from "@bridle/protocol";

/** The schema of answers, or a sentence about why the schema cannot be used. */
export type ReadFormat = { readonly schema: JsonSchema } | { readonly problem: string };

/** Reads the schema from the content of a file. */
export function parseFormat(text: string, file: string): ReadFormat {
  try {
    return checkFormat(JSON.parse(text), `the schema in ${file}`);
  } catch (error) {
    return { problem: `the schema in ${file} ${describeJsonFault(error, text)}. Correct the file.` };
  }
}

/** Returns the schema in OpenAI's response format: `{ type: json_schema, json_schema: { name, schema } }`, or `schema` next to the type. */
function innerSchema({ json_schema: named, schema }: Record<string, unknown>): unknown {
  return schema ?? (isPlainObject(named) ? (named.schema ?? named) : named);
}

/** Checks that a schema has type `object`. `subject` is the first words of the error message. */
export function checkFormat(schema: unknown, subject: string): ReadFormat {
  if (isPlainObject(schema) && schema.type === "json_schema") return checkFormat(innerSchema(schema), subject);
  if (isPlainObject(schema) && schema.type === "object") return { schema };
  const found = describeType(schema);
  const wrapped = '{ "type": "object", "properties": { "value": … } }';
  return { problem: `${subject} has ${found}, but must have type "object". Wrap the value: ${wrapped}.` };
}

/** Shows only names that JSON Schema defines, because the file can contain anything. */
function describeType(schema: unknown): string {
  if (!isPlainObject(schema) || schema.type === undefined) return "no type";
  const { type } = schema;
  return typeof type === "string" && schemaTypes.includes(type) ? `type "${type}"` : "another type";
}

const schemaTypes = ["array", "string", "number", "integer", "boolean", "null"];
