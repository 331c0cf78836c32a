import { z } from "zod";
import { configSchema } from "./schema.ts";

/** The keys that may stand in the mapping at a path, such as `["llm", "provider"]`; none where any may. */
export function knownKeys(path: readonly PropertyKey[]): readonly string[] {
  let schema: unknown = configSchema;
  for (const key of path) schema = childOf(unwrap(schema), key);
  const holder = unwrap(schema);
  return holder instanceof z.ZodObject ? Object.keys(holder.shape) : [];
}

function childOf(schema: unknown, key: PropertyKey): unknown {
  return schema instanceof z.ZodObject ? Reflect.get(schema.shape, key) : undefined;
}

function unwrap(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault || schema instanceof z.ZodOptional;
  return isWrapped ? unwrap(schema.unwrap()) : schema;
}
