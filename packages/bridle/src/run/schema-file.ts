import { ConfigError, isPlainObject, type JsonSchema } from "@bridle/core";
import { readText } from "./read-text.ts";

/** Reads a JSON Schema whose type is `object`. Throws ConfigError, naming the file, for anything else. */
export async function readSchemaFile(file: string, cwd: string): Promise<JsonSchema> {
  const schema = parse(await readText(file, cwd, "The schema", "--schema"), file);
  if (isPlainObject(schema) && schema.type === "object") return schema;
  const found = isPlainObject(schema) && schema.type !== undefined ? `type ${JSON.stringify(schema.type)}` : "no type";
  throw refuse(
    file,
    `the schema has ${found}, but an answer is an object. Wrap the value: { "type": "object", "properties": { "value": … } }.`,
  );
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse(file, `this is not JSON: ${cause instanceof Error ? cause.message : String(cause)}. Mend it.`);
  }
}

function refuse(file: string, message: string): ConfigError {
  return new ConfigError(message, { position: { file }, field: "--schema" });
}
