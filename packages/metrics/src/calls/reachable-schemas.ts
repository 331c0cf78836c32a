import { isPlainObject, type JsonSchema } from "@bridle/protocol";

/**
 * Lists the schemas that restrict a value: the given schemas, those that they refer to, and all alternatives. `undefined` if a part is
 * unknown, such as a reference to another document, or leaves everything open.
 */
export function reachableSchemas(schemas: readonly unknown[], root: JsonSchema): readonly JsonSchema[] | undefined {
  const reached = new Set<JsonSchema>();
  const waiting = [...schemas];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (schema === false) continue;
    if (!isPlainObject(schema) || Object.keys(schema).every((key) => annotations.includes(key))) return undefined;
    if (reached.has(schema)) continue;
    reached.add(schema);
    if (schema.$ref !== undefined) waiting.push(resolveReference(schema.$ref, root) ?? true);
    for (const key of ["allOf", "anyOf", "oneOf"]) waiting.push(...[schema[key] ?? []].flat());
    for (const key of ["then", "else"]) if (schema[key] !== undefined) waiting.push(schema[key]);
    if (schema.$dynamicRef !== undefined || schema.dependentSchemas !== undefined) return undefined;
  }
  return [...reached];
}

/** Keywords that restrict nothing. */
const annotations = ["description", "title", "default", "examples", "deprecated", "$comment"];

/** Finds the schema at a reference such as `#/$defs/order`. */
function resolveReference(reference: unknown, root: JsonSchema): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const keys = reference.slice(1).split("/").slice(1);
  return keys.reduce<unknown>((found, key) => {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    return isPlainObject(found) ? found[name] : undefined;
  }, root);
}
