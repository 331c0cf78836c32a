import { describeJsonFault } from "@bridle/core";
import { ConfigError, isBridleError, isPlainObject } from "@bridle/protocol";
import { readText } from "../files/read-text.ts";
import type { SchemaFile } from "./agent-plan.ts";

/** Reads a JSON Schema of type `object`. For anything else, throws a ConfigError that names the file. */
export async function readSchemaFile(file: string, cwd: string): Promise<SchemaFile> {
  const schema = parse(await readText(file, cwd, "The schema", "--schema"), file);
  if (isPlainObject(schema) && schema.type === "object") return { file, schema };
  const found = isPlainObject(schema) && schema.type !== undefined ? `type ${JSON.stringify(schema.type)}` : "no type";
  throw invalidSchema(
    file,
    `the schema has ${found}, but an answer is an object. Wrap the value: { "type": "object", "properties": { "value": … } }.`,
  );
}

/** Explains why a run could not start. If the schema is the reason, the error names the file and the flag. */
export function refuseSchema(file: string, error: unknown): unknown {
  if (!isBridleError(error) || error.code !== "invalid_request") return error;
  return invalidSchema(file, `${error.message} Correct the file, or name another after --schema.`, error);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidSchema(file, `the schema ${describeJsonFault(cause, text)}. Correct the file.`);
  }
}

function invalidSchema(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { position: { file }, field: "--schema", cause });
}
