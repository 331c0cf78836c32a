/**
 * Restricts JSON Schema to the part that Zod can check. `z.fromJSONSchema` silently ignores some keywords, alone or in combination (as of
 * zod 4.6.7). Each such keyword is refused, or rewritten so that Zod applies it.
 */
import { isPlainObject, type JsonSchema } from "@bridle/protocol";
import { runInTime } from "../async/run-in-time.ts";
import { LocalReferences } from "./local-references.ts";

const annotations = ["$schema", "$id", "$anchor", "$comment", "$defs", "definitions"].concat([
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "contentEncoding",
  "contentMediaType",
  "example",
  "externalDocs",
]);
const combining = ["anyOf", "oneOf", "allOf"];
const byType: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"].concat([
    "minProperties",
    "maxProperties",
  ]),
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains"],
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
};
const typed = new Set(Object.values(byType).flat());
const known = new Set([...annotations, ...combining, ...typed, "type", "enum", "const", "$ref", "not"]);
const formats = new Set(
  ["email", "uri", "uuid", "date-time", "date", "time", "duration", "hostname", "ipv4", "ipv6"].concat([
    "cidr",
    "cidr-v6",
    "mac",
    "base64",
    "base64url",
    "e164",
    "jwt",
    "emoji",
    "nanoid",
    "cuid",
    "cuid2",
    "ulid",
  ]),
);
const oneSchema = ["items", "contains", "additionalProperties", "propertyNames"];
const manySchemas = [...combining, "prefixItems"];
const namedSchemas = ["properties", "patternProperties", "$defs", "definitions"];

/** Rewrites a schema so that Zod applies all of it. Throws an Error with the position and the remedy. */
export function checkable(root: unknown): JsonSchema | boolean {
  const references = new LocalReferences(root);
  const checked = check(root, "#", references);
  const places = references.resolve((schema, path) => check(schema, path, references));
  if (typeof checked === "boolean" || Object.keys(places).length === 0) return checked;
  return { ...checked, $defs: { ...(isPlainObject(checked.$defs) ? checked.$defs : {}), ...places } };
}

function check(schema: unknown, path: string, references: LocalReferences): JsonSchema | boolean {
  if (typeof schema === "boolean") return schema;
  if (!isPlainObject(schema)) throw new Error(`${path} is not a schema`);
  const { default: _annotation, $schema: _dialect, ...copy } = withoutNullable(schema);
  if (typeof copy.$ref === "string") copy.$ref = references.rename(copy.$ref);
  const problem = findProblem(copy);
  if (problem !== undefined) throw new Error(`${path} ${problem}`);
  for (const key of oneSchema) if (copy[key] !== undefined) copy[key] = check(copy[key], `${path}/${key}`, references);
  for (const key of manySchemas) {
    if (copy[key] !== undefined) copy[key] = checkList(copy[key], `${path}/${key}`, references);
  }
  for (const key of namedSchemas) {
    if (copy[key] !== undefined) copy[key] = checkNamed(copy[key], `${path}/${key}`, references);
  }
  return complete(copy);
}

function checkList(schemas: unknown, path: string, references: LocalReferences): unknown {
  if (!Array.isArray(schemas) || schemas.length === 0) throw new Error(`${path} is not a list of schemas`);
  return schemas.map((schema, index) => check(schema, `${path}/${index}`, references));
}

function checkNamed(schemas: unknown, path: string, references: LocalReferences): unknown {
  if (!isPlainObject(schemas)) throw new Error(`${path} is not an object of schemas`);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, check(schema, `${path}/${name}`, references)]),
  );
}

/** Converts OpenAPI's `nullable` to a type. In a schema without a type, `nullable` stays and is rejected. */
function withoutNullable(schema: Record<string, unknown>): Record<string, unknown> {
  const { nullable, ...rest } = schema;
  if (nullable === undefined || nullable === false) return rest;
  if (nullable !== true || rest.type === undefined) return schema;
  return { ...rest, type: [...new Set([...listTypes(rest), "null"])] };
}

/** Completes a schema, because Zod requires only declared properties, and counts items only if they have a schema. */
function complete(schema: Record<string, unknown>): JsonSchema {
  const copy = { ...schema };
  if (listTypes(schema).includes("array") && copy.items === undefined && copy.prefixItems === undefined)
    copy.items = {};
  if (Array.isArray(copy.required)) copy.properties = declareAll(copy.required, copy);
  return copy;
}

function declareAll(names: readonly unknown[], schema: Record<string, unknown>): Record<string, unknown> {
  const { patternProperties, additionalProperties = true } = schema;
  const patterns = isPlainObject(patternProperties) ? Object.keys(patternProperties) : [];
  const undeclared = names.map((name) => {
    const matches = patterns.some((pattern) => findInTime(pattern, String(name)));
    return [name, matches ? true : additionalProperties];
  });
  return { ...Object.fromEntries(undeclared), ...(isPlainObject(schema.properties) ? schema.properties : {}) };
}

/** Whether a pattern is found in a name. Throws an Error if that takes more than a second. */
function findInTime(pattern: string, name: string): boolean {
  const found = runInTime(() => new RegExp(pattern).test(name), 1000);
  if (found !== undefined) return found.value;
  throw new Error(`the pattern /${pattern}/ of patternProperties takes too long on the name "${name}"`);
}

function findProblem(schema: Record<string, unknown>): string | undefined {
  const keys = Object.keys(schema).filter((key) => schema[key] !== undefined && !key.startsWith("x-"));
  const unknown = keys.find((key) => !known.has(key));
  if (unknown !== undefined) return `has the keyword "${unknown}", which is not supported`;
  return (
    problemOfRef(schema, keys) ??
    problemOfValues(schema, keys) ??
    problemOfTypes(schema, keys) ??
    problemOfDetails(schema)
  );
}

function problemOfRef({ $ref }: Record<string, unknown>, keys: readonly string[]): string | undefined {
  if ($ref === undefined) return undefined;
  if (typeof $ref !== "string" || !/^#(\/(\$defs|definitions)\/[^/]+)?$/.test($ref)) {
    return "has a $ref to something else than a place of the same schema";
  }
  return beside("$ref", keys, annotations);
}

function problemOfValues(schema: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const key = schema.enum === undefined ? "const" : "enum";
  if (schema[key] === undefined) return undefined;
  const values = key === "enum" ? schema.enum : [schema.const];
  if (!Array.isArray(values)) return "has an enum that is not a list";
  if (values.some((value) => typeof value === "object" && value !== null))
    return `has an object or a list in its ${key}`;
  const types = listTypes(schema);
  if (types.length > 0 && !values.every((value) => types.some((type) => isOfType(value, type)))) {
    return `has values in its ${key} that are not of its type`;
  }
  return beside(key, keys, [...annotations, "type"]);
}

function problemOfTypes(schema: Record<string, unknown>, keys: readonly string[]): string | undefined {
  const types = listTypes(schema).map((type) => (type === "integer" ? "number" : type));
  const idle = keys.find((key) => typed.has(key) && !types.some((type) => byType[String(type)]?.includes(key)));
  if (idle === undefined) return undefined;
  return `has "${idle}" without its type; add the type`;
}

function problemOfDetails(schema: Record<string, unknown>): string | undefined {
  const { format, not, additionalProperties } = schema;
  if (format !== undefined && !(typeof format === "string" && formats.has(format))) {
    return `has the format ${JSON.stringify(format)}, which is not supported`;
  }
  if (not !== undefined && !(isPlainObject(not) && Object.keys(not).length === 0))
    return 'has "not", which is not supported';
  if (Array.isArray(schema.items)) return "has a list in items; write prefixItems";
  if (schema.patternProperties !== undefined && isPlainObject(additionalProperties)) {
    return "has a schema for additionalProperties together with patternProperties";
  }
  return undefined;
}

function beside(key: string, keys: readonly string[], allowed: readonly string[]): string | undefined {
  const other = keys.find((candidate) => candidate !== key && !allowed.includes(candidate));
  return other === undefined ? undefined : `has "${other}" together with "${key}"; put one of them into an allOf`;
}

function listTypes({ type }: Record<string, unknown>): readonly unknown[] {
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === "null";
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
