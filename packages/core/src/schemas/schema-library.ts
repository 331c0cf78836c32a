/** Finds out which library a schema comes from, and explains why a schema cannot be used. */
import type { StandardJsonSchema, StandardSchema } from "@bridle/protocol";
import type { z } from "zod";

type Members = Readonly<Record<PropertyKey, unknown>>;

/** Whether a value is a Zod 4 schema of any copy of Zod. Copies share no class. */
export function isZod(value: unknown): value is z.core.$ZodType {
  return hasMembers(value) && hasMembers(value._zod) && hasMembers(value._zod.def);
}

/** Whether a value implements Standard Schema, as all versions of Zod 4 do. Some libraries have functions as schemas. */
export function isStandard(value: unknown): value is StandardSchema {
  return hasMembers(value) && hasMembers(value["~standard"]) && typeof value["~standard"].validate === "function";
}

export function hasJsonSchema(schema: StandardSchema): schema is StandardJsonSchema {
  const { jsonSchema } = schema["~standard"] as Partial<StandardJsonSchema["~standard"]>;
  return hasMembers(jsonSchema) && typeof jsonSchema.input === "function";
}

/**
 * Explains why a library's schema cannot become a JSON Schema, with the remedy. Returns `undefined` for all other values.
 *
 * @param instead how callers pass their own JSON Schema
 */
export function explainUnusable(schema: unknown, instead: string): string | undefined {
  if (isZod(schema)) return undefined;
  if (isZod3(schema)) {
    return (
      "is a schema of Zod 3, which Bridle cannot describe to a model. Import Zod 4: `npm install zod@4`, or " +
      `\`import { z } from "zod/v4"\` if you have zod 3.25. To keep Zod 3, pass ${instead}.`
    );
  }
  if (!isStandard(schema) || hasJsonSchema(schema)) return undefined;
  return (
    `is a schema of ${schema["~standard"].vendor} without a JSON Schema, which a model needs. Wrap it so that it implements ` +
    `Standard JSON Schema, as toStandardJsonSchema() of @valibot/to-json-schema does, or pass ${instead}.`
  );
}

function isZod3(value: unknown): boolean {
  return hasMembers(value) && hasMembers(value._def) && String(value._def.typeName).startsWith("Zod");
}

function hasMembers(value: unknown): value is Members {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
