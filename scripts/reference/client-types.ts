/** Writes the types of `@bridle/client` from the server's schemas. */
import { z } from "zod";

type Json = Readonly<Record<string, unknown>>;

/** Writes one line for each type, so that a changed schema changes one line. */
export function clientTypes(schemas: Readonly<Record<string, z.ZodType>>): string {
  const types = Object.entries(schemas).map(([name, schema]) => {
    const json = z.toJSONSchema(schema, { io: "output", unrepresentable: "any", cycles: "ref" }) as Json;
    return `export type ${name} = ${toType(json)};`;
  });
  const head =
    '/** The replies and requests of the API. Generated from the schemas of the server by "npm run generate". */';
  return `${[head, ...types].join("\n")}\n`;
}

function toType(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "unknown";
  const given = schema as Json;
  const { type, enum: values, const: value, anyOf, oneOf, allOf } = given;
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return values.map((each) => JSON.stringify(each)).join(" | ");
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return alternatives.map(toType).join(" | ");
  if (Array.isArray(allOf)) return allOf.map((each) => `(${toType(each)})`).join(" & ");
  if (Array.isArray(type)) return type.map((each) => toType({ ...given, type: each })).join(" | ");
  if (type === "string" || type === "boolean" || type === "null") return type;
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return arrayType(given);
  return type === "object" ? objectType(given) : "unknown";
}

function arrayType({ items, prefixItems }: Json): string {
  if (Array.isArray(prefixItems)) return `readonly [${prefixItems.map(toType).join(", ")}]`;
  return `readonly (${toType(items)})[]`;
}

function objectType({ properties = {}, required = [], additionalProperties }: Json): string {
  const known = Object.entries(properties as Json).map(([name, schema]) => {
    const mark = (required as readonly string[]).includes(name) ? "" : "?";
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    return `readonly ${key}${mark}: ${toType(schema)}`;
  });
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const rest = isOpen && known.length === 0 ? [`readonly [name: string]: ${toType(additionalProperties)}`] : [];
  return `{ ${[...known, ...rest].join("; ")} }`;
}
