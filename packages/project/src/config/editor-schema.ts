import { z } from "zod";

export type JsonSchemaDocument = Readonly<Record<string, unknown>>;

/** Makes the JSON Schema of a file, for editors. It also accepts a reference such as `${NAME}` in place of a fixed value. */
export function editorSchema(schema: z.ZodType): JsonSchemaDocument {
  return z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      allowAny(jsonSchema);
      allowReference(jsonSchema);
    },
  });
}

type Mutable = z.core.JSONSchema.BaseSchema;

/** Allows several alternatives to match: if `backend` is a reference, a mapping matches more than one. */
function allowAny(schema: Mutable): void {
  if (!schema.oneOf) return;
  schema.anyOf = schema.oneOf;
  delete schema.oneOf;
}

function allowReference(schema: Mutable): void {
  if (schema.type !== "string" || (!schema.enum && !schema.format && schema.const === undefined)) return;
  const { description, default: fallback, ...fixed } = schema;
  for (const key of Object.keys(fixed)) Reflect.deleteProperty(schema, key);
  schema.anyOf = [fixed, { type: "string", pattern: "\\$\\{" }];
}
