/** Lists every field of an agent file by path: `[]` is an entry of a list, `.*` one of a mapping, `(x)` the kind that has the field. */
import { z } from "zod";

export function fieldsOf(schema: unknown, path = "", seen = new Set<unknown>()): string[] {
  const bare = unwrap(schema);
  if (seen.has(bare)) return []; // the same mapping occurs at another path
  if (bare instanceof z.ZodObject || bare instanceof z.ZodUnion) seen.add(bare);
  if (bare instanceof z.ZodArray) return fieldsOf(bare.element, `${path}[]`, seen);
  if (bare instanceof z.ZodDiscriminatedUnion) {
    const key = bare.def.discriminator;
    return bare.options.flatMap((option) => fieldsOf(option, `${path}(${nameOf(option, key)})`, seen));
  }
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((option) => fieldsOf(option, path, seen));
  if (bare instanceof z.ZodRecord) return fieldsOf(bare.valueType, `${path}.*`, seen);
  if (!(bare instanceof z.ZodObject)) return [];
  return Object.entries(bare.shape).flatMap(([key, child]) => {
    const field = path === "" ? key : `${path}.${key}`;
    return [field, ...fieldsOf(child, field, seen)];
  });
}

function nameOf(option: unknown, key: string): string {
  const kind = option instanceof z.ZodObject ? unwrap(option.shape[key]) : undefined;
  if (kind instanceof z.ZodEnum) return String(kind.options[0]);
  return kind instanceof z.ZodLiteral ? String([...kind.values][0]) : "";
}

function unwrap(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodExactOptional;
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  return isWrapped ? unwrap(schema.unwrap()) : schema;
}
