import { isPlainObject, type JsonSchema } from "@bridle/protocol";

/** A schema of answers, or what is wrong with it. */
export type ReadFormat = { readonly schema: JsonSchema } | { readonly problem: string };

/** From the text of a file. */
export function parseFormat(text: string, file: string): ReadFormat {
  try {
    return checkFormat(JSON.parse(text), `the schema in ${file}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `the schema in ${file} is not JSON: ${reason}. Mend the file.` };
  }
}

/** Answers are objects. */
export function checkFormat(schema: unknown, subject: string): ReadFormat {
  if (isPlainObject(schema) && schema.type === "object") return { schema };
  const found = isPlainObject(schema) && schema.type !== undefined ? `type ${JSON.stringify(schema.type)}` : "no type";
  const wrapped = '{ "type": "object", "properties": { "value": … } }';
  return { problem: `${subject} has ${found}, but an answer is an object. Wrap the value: ${wrapped}.` };
}
