import { z } from "zod";
import { configSchema } from "./schema.ts";

type Path = readonly PropertyKey[];

/**
 * The keys that may stand in the mapping at a path, such as `["llm", "provider"]`; none where any may. Where they
 * depend on the mapping's `backend`, `mapping` is what stands there.
 */
export function knownKeys(path: Path, mapping?: unknown): readonly string[] {
  const alternatives = alternativesAt(path);
  const chosen = alternatives.find((shape) => shape.backend?.safeParse(backendIn(mapping)).success) ?? alternatives[0];
  return Object.keys(chosen ?? {});
}

/** The backends that have this key at a path where each has its own. */
export function backendsWith(path: Path, key: string): readonly string[] {
  return alternativesAt(path).flatMap((shape) => (key in shape && shape.backend ? namesIn(shape.backend) : []));
}

/** The name at `backend` in a mapping, if there is one. */
export function backendIn(mapping: unknown): unknown {
  return typeof mapping === "object" && mapping !== null ? Reflect.get(mapping, "backend") : undefined;
}

/** The keys of the mapping at a path and their schemas; several where they depend on the backend. */
function alternativesAt(path: Path): readonly Readonly<Record<string, z.ZodType>>[] {
  const schema = path.reduce<unknown>((holder, key) => childOf(unwrap(holder), key), configSchema);
  const holder = unwrap(schema);
  return optionsOf(holder).flatMap((option) => (option instanceof z.ZodObject ? [option.shape] : []));
}

function childOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodArray) return schema.element; // whatever its place in the list
  const holders = optionsOf(schema).flatMap((option) => (option instanceof z.ZodObject ? [option.shape] : []));
  return holders.map((shape) => Reflect.get(shape, key)).find((child) => child !== undefined);
}

function optionsOf(schema: unknown): readonly unknown[] {
  return schema instanceof z.ZodUnion ? schema.options : [schema];
}

function unwrap(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional;
  return isWrapped ? unwrap(schema.unwrap()) : schema;
}

function namesIn(schema: z.ZodType): string[] {
  const literal = unwrap(schema);
  return literal instanceof z.ZodLiteral ? [...literal.values].map(String) : [];
}
