/** Properties of an expression's form that determine how the expression is written. */
import type { SelectRelation, SqlExpression } from "../ir/sql-expression.ts";

/** Whether the expression has an operator at its top level. */
export function isOperation({ kind }: SqlExpression): boolean {
  return kind === "binary" || kind === "not" || kind === "is_null" || kind === "in" || kind === "like";
}

/** Whether the expression's form shows that it is true or false, and not a column's value. */
export function isCondition(node: SqlExpression): boolean {
  if (node.type !== "boolean") return false;
  return isOperation(node) || node.kind === "exists" || (node.kind === "call" && node.name === "contains");
}

/** Returns the form to which an expression converts text for comparisons, if any. */
export function textForm(node: SqlExpression): "text_order" | "text_identity" | undefined {
  if (node.kind !== "call") return undefined;
  return node.name === "text_order" || node.name === "text_identity" ? node.name : undefined;
}

/** Returns the conditions that must all be true. */
export function conjuncts(node: SqlExpression): readonly SqlExpression[] {
  if (node.kind !== "binary" || node.operator !== "and") return [node];
  return [...conjuncts(node.left), ...conjuncts(node.right)];
}

/** Returns the names of the columns that a part of a statement takes from each relation, by the relation's alias. */
export function columnsByAlias(part: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  collect(part, found);
  return found;
}

function collect(part: unknown, found: Map<string, Set<string>>): void {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && part.kind === "column" && "source" in part && "name" in part) {
    const source = String(part.source);
    found.set(source, (found.get(source) ?? new Set()).add(String(part.name)));
    return;
  }
  for (const each of Object.values(part)) collect(each, found);
}

/** Returns the last part of the name of each table that a part of a statement reads. */
export function tablesIn(part: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  collectTables(part, found);
  return found;
}

function collectTables(part: unknown, found: Set<string>): void {
  if (typeof part !== "object" || part === null) return;
  if ("kind" in part && part.kind === "table" && "path" in part && Array.isArray(part.path))
    found.add(String(part.path.at(-1)));
  else for (const each of Object.values(part)) collectTables(each, found);
}

/** Returns the statements written by users that a part of a statement contains. */
export function textsIn(part: unknown): readonly string[] {
  if (typeof part !== "object" || part === null) return [];
  if ("kind" in part && part.kind === "sql" && "text" in part) return [String(part.text)];
  return Object.values(part).flatMap(textsIn);
}

/** Whether a subquery refers to a text column, or to a column of an unknown type, of the enclosing statement. */
export function namesOuterText(select: SelectRelation): boolean {
  const own = new Set([select.from, ...(select.joins ?? [])].flatMap((relation) => relation?.alias ?? []));
  const isOuter = (part: unknown): boolean => {
    if (typeof part !== "object" || part === null) return false;
    if (!("kind" in part && part.kind === "column" && "source" in part && "type" in part))
      return Object.values(part).some(isOuter);
    return !own.has(String(part.source)) && (part.type === "text" || part.type === "unknown");
  };
  return isOuter(select);
}

/**
 * Adds a condition that is always true. It keeps the engine from reusing a cached result for strings that its collation treats as equal.
 */
export function freshSelect(select: SelectRelation): SelectRelation {
  const fresh: SqlExpression = { kind: "call", name: "fresh_subquery", args: [], type: "boolean" };
  return { ...select, where: [...(select.where ?? []), fresh] };
}
