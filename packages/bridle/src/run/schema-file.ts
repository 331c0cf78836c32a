import { ConfigError, isBridleError, isPlainObject } from "@bridle/protocol";
import type { SchemaFile } from "./plan.ts";
import { readText } from "./read-text.ts";

/** Reads a JSON Schema whose type is `object`. Throws ConfigError, naming the file, for anything else. */
export async function readSchemaFile(file: string, cwd: string): Promise<SchemaFile> {
  const schema = parse(await readText(file, cwd, "The schema", "--schema"), file);
  if (isPlainObject(schema) && schema.type === "object") return { file, schema };
  const found = isPlainObject(schema) && schema.type !== undefined ? `type ${JSON.stringify(schema.type)}` : "no type";
  throw refuse(
    file,
    `the schema has ${found}, but an answer is an object. Wrap the value: { "type": "object", "properties": { "value": … } }.`,
  );
}

/** What kept a run with this schema from its beginning; where the schema did, the error names the file and the flag. */
export function refuseSchema(file: string, error: unknown): unknown {
  if (!isBridleError(error) || error.code !== "invalid_request") return error;
  return refuse(file, `${error.message} Mend the file, or name another after --schema.`, error);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuse(file, `this is not JSON: ${cause instanceof Error ? cause.message : String(cause)}. Mend it.`, cause);
  }
}

function refuse(file: string, message: string, cause?: unknown): ConfigError {
  return new ConfigError(message, { position: { file }, field: "--schema", cause });
}
