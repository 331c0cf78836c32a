/** The syntax tree that DuckDB's `json_serialize_sql` writes. */

export interface SyntaxObject {
  readonly [key: string]: unknown;
}

export function isObject(value: unknown): value is SyntaxObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textAt(node: SyntaxObject, key: string): string {
  const value = node[key];
  return typeof value === "string" ? value : "";
}

function objectsAt(node: SyntaxObject, key: string): readonly SyntaxObject[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textsAt(node: SyntaxObject, key: string): readonly string[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** Returns the position of a node in the text, in bytes of UTF-8; undefined if the node does not occur in the text. */
export function locationOf(node: SyntaxObject): number | undefined {
  const location = node.query_location;
  return typeof location === "number" && Number.isSafeInteger(location) ? location : undefined;
}

/** Returns the names of a query's common table expressions, in order, with their queries. */
export function tableExpressionsOf(
  query: SyntaxObject,
): readonly { name: string; query: unknown; node: SyntaxObject }[] {
  const map = isObject(query.cte_map) ? objectsAt(query.cte_map, "map") : [];
  return map.flatMap((entry) => {
    const { value } = entry;
    return isObject(value) ? [{ name: textAt(entry, "key"), query: value.query, node: value }] : [];
  });
}
