/**
 * Converts a schema to the form that OpenAI's structured output requires: every object is closed, every property is
 * required, and refused keywords are left out. The engine still checks the object against the whole schema.
 * (Source: OpenAI's guide to structured outputs, October 2026.)
 */
import { isPlainObject, type JsonSchema } from "@bridle/protocol";

export interface SentSchema {
  schema: JsonSchema;
  /** `false` if the schema has optional or open parts. The host then does not guarantee to follow it. */
  strict: boolean;
  /** The removed keywords, each listed once. */
  dropped: readonly string[];
}

const refused: ReadonlySet<string> = new Set(
  ["default", "uniqueItems", "minProperties", "maxProperties", "propertyNames", "patternProperties", "not"].concat([
    "contains",
    "minContains",
    "maxContains",
    "unevaluatedProperties",
    "unevaluatedItems",
  ]),
);
const formats = ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const named = ["properties", "$defs", "definitions"];

export function toStrictSchema(schema: JsonSchema): SentSchema {
  const dropped = new Set<string>();
  let strict = true;

  function convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(convert);
    if (!isPlainObject(value)) return value;
    const kept = Object.entries(value).filter(([key, item]) => keep(key, item));
    return close(Object.fromEntries(kept.map(([key, item]) => [key, convertField(key, item)])));
  }

  function convertField(key: string, item: unknown): unknown {
    if (key === "enum" || key === "const" || key === "required") return item;
    if (!named.includes(key) || !isPlainObject(item)) return convert(item);
    return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, convert(inner)]));
  }

  function keep(key: string, item: unknown): boolean {
    const isRefused = refused.has(key) || (key === "format" && !formats.includes(String(item)));
    if (isRefused) dropped.add(key === "format" ? `format ${item}` : key);
    return !isRefused;
  }

  function close(object: Record<string, unknown>): Record<string, unknown> {
    if (object.type !== "object" && !isPlainObject(object.properties)) return object;
    const names = Object.keys(isPlainObject(object.properties) ? object.properties : {});
    const required = Array.isArray(object.required) ? object.required : [];
    const isOpen = object.additionalProperties === true || isPlainObject(object.additionalProperties);
    if (isOpen || names.length === 0 || names.some((name) => !required.includes(name))) strict = false;
    return isOpen ? object : { ...object, additionalProperties: false };
  }

  const converted = convert(schema);
  return { schema: isPlainObject(converted) ? converted : schema, strict, dropped: [...dropped] };
}
