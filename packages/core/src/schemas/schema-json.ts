import { type JsonSchema, omitUndefined, type StandardSchema } from "@bridle/protocol";
import { z } from "zod";
import { hasJsonSchema, isZod } from "./schema-library.ts";

/** Called for each Zod type within a schema. Throws if the type cannot be described. */
type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"];

/** Returns the JSON Schema of a schema's input, before transforms. Throws an Error if the schema has none, or has one that is not JSON. */
export function toJsonSchema(schema: StandardSchema, override?: Override): JsonSchema {
  const described = isZod(schema) ? zodToJsonSchema(schema, override) : standardToJsonSchema(schema);
  const { $schema: _dialect, ...jsonSchema } = described;
  JSON.stringify(jsonSchema); // throws now, not when it is sent: a library's description may be circular or contain a bigint
  return jsonSchema;
}

function zodToJsonSchema(schema: z.core.$ZodType, override?: Override): JsonSchema {
  return { ...z.toJSONSchema(schema, { io: "input", metadata: metadataOfAllCopies, ...omitUndefined({ override }) }) };
}

function standardToJsonSchema(schema: StandardSchema): JsonSchema {
  if (hasJsonSchema(schema)) return schema["~standard"].jsonSchema.input({ target: "draft-2020-12" });
  throw new Error(`${schema["~standard"].vendor} gives none`);
}

/** Descriptions and titles. Copies of Zod before 4.2 keep them in their own registry, which only their schemas' `meta()` reads. */
const metadataOfAllCopies = Object.assign(z.registry<Record<string, unknown>>(), {
  get: (schema: z.core.$ZodType) => z.globalRegistry.get(schema) ?? ownMetadata(schema),
});

function ownMetadata(schema: z.core.$ZodType & { meta?: unknown }): Record<string, unknown> | undefined {
  return typeof schema.meta === "function" ? schema.meta() : undefined;
}
