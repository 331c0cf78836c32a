/** Summarizes the fields of a JSON Schema for users. It covers the common keywords, not all of JSON Schema. */
import { counted } from "@bridle/protocol/text";

export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The maximum depth of the listed fields. */
const deepest = 4;

/** Describes the input of a tool in a few words. For keywords other than `properties`, the description refers to the schema. */
export function describeInput(schema: Readonly<Record<string, unknown>>): string {
  const fields = schemaFields(schema).length;
  if (fields > 0) return counted(fields, "field");
  const isElsewhere = ["$ref", "anyOf", "oneOf", "allOf", "patternProperties"].some((key) => schema[key] !== undefined);
  const { additionalProperties: others = false } = schema;
  return isElsewhere || others !== false ? "see the schema" : "no fields";
}

/** Lists fields by their paths, such as `order.lines[].count`. */
export function schemaFields(schema: unknown, path = "", depth = 1): readonly SchemaField[] {
  if (!isRecord(schema)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  return properties.flatMap(([key, value]) => {
    const name = path === "" ? key : `${path}.${key}`;
    const field = { name, type: describeType(value), isRequired: required.includes(key), description: describe(value) };
    if (depth === deepest) return [field];
    const items = isRecord(value) && isRecord(value.items) ? value.items : undefined;
    return [field, ...schemaFields(items ?? value, items ? `${name}[]` : name, depth + 1)];
  });
}

function describeType(schema: unknown): string {
  if (!isRecord(schema)) return "anything";
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map(describeType).join(" | ");
  if (schema.type === "array") return `list of ${describeType(schema.items)}`;
  if (Array.isArray(schema.type)) return schema.type.join(" | ");
  const type = typeof schema.type === "string" ? schema.type : "anything";
  return typeof schema.format === "string" ? `${type} (${schema.format})` : type;
}

function describe(schema: unknown): string {
  if (!isRecord(schema)) return "";
  const limits = ["minimum", "maximum", "minLength", "maxLength", "pattern", "default"]
    .filter((key) => schema[key] !== undefined && Math.abs(Number(schema[key])) !== Number.MAX_SAFE_INTEGER)
    .map((key) => `${key} ${JSON.stringify(schema[key])}`);
  return [typeof schema.description === "string" ? schema.description : "", ...limits].filter(Boolean).join(", ");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
