type Schema = Readonly<Record<string, unknown>>;

/**
 * Returns the reason why OpenAI refuses a JSON Schema that is marked `strict`, or `undefined`. Every object must have
 * `additionalProperties: false` and require each of its properties.
 */
export function findSchemaFault(schema: unknown): string | undefined {
  if (!isSchema(schema) || schema.type !== "object") return "schema must be a JSON Schema of 'type: \"object\"'.";
  return faultIn(schema, []);
}

function faultIn(schema: Schema, path: readonly string[]): string | undefined {
  return (
    faultOfObject(schema, path) ?? firstOf(childrenOf(schema), ([names, child]) => faultIn(child, [...path, ...names]))
  );
}

function faultOfObject(schema: Schema, path: readonly string[]): string | undefined {
  if (schema.type !== "object" && !isSchema(schema.properties)) return undefined;
  const context = `In context=(${path.map((name) => `'${name}'`).join(", ")})`;
  if (schema.additionalProperties !== false)
    return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = Object.keys(isSchema(schema.properties) ? schema.properties : {}).find(
    (key) => !required.includes(key),
  );
  if (missing === undefined) return undefined;
  return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
}

type Child = readonly [path: readonly string[], schema: Schema];

function childrenOf(schema: Schema): Child[] {
  const named = ["properties", "$defs", "definitions"].flatMap((group) => entriesOf(schema[group], [group]));
  const listed = ["anyOf", "allOf", "oneOf"].flatMap((group) => entriesOf(schema[group], [group]));
  return [...named, ...listed, ...(isSchema(schema.items) ? [[["items"], schema.items] as const] : [])];
}

function entriesOf(holder: unknown, path: readonly string[]): Child[] {
  const entries = typeof holder === "object" && holder !== null ? Object.entries(holder) : [];
  return entries.flatMap(([name, child]) => (isSchema(child) ? [[[...path, name], child] as const] : []));
}

function firstOf<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
