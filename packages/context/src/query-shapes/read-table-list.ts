/** Reads the table list after FROM: tables with their aliases, and how they are joined. */

import { type QueryScope, readName } from "./query-scope.ts";
import type { ShapeJoin } from "./query-shape.ts";
import type { TokenRange } from "./token-range.ts";

export interface TableList {
  /** The conditions of ON, one range each. */
  readonly conditions: readonly TokenRange[];
  /** Subqueries. */
  readonly nested: readonly TokenRange[];
  /** Joins by USING. */
  readonly joins?: readonly ShapeJoin[] | undefined;
}

const joinWords = [
  "join",
  "inner",
  "left",
  "right",
  "full",
  "cross",
  "natural",
  "outer",
  "asof",
  "lateral",
  "straight_join",
];
const afterTable = new Set([
  ...joinWords,
  "on",
  "using",
  "tablesample",
  "pivot",
  "unpivot",
  "final",
  "sample",
  "with",
  "use",
]);

export function readTableList(range: TokenRange, scope: QueryScope): TableList {
  const conditions: TokenRange[] = [];
  const nested: TokenRange[] = [];
  const joins: ShapeJoin[] = [];
  let previous: readonly string[] | undefined;
  for (const part of partsOf(range)) {
    const table = addTable(part, scope, { conditions, nested });
    const rest = part.slice(table.next, part.to);
    for (const index of rest.outer()) {
      if (rest.isWord(index, "on")) conditions.push(rest.slice(index + 1, rest.to));
      if (rest.isWord(index, "using") && rest.isSymbol(index + 1, "("))
        joins.push(...joinByName(rest.within(index + 1), previous, table.name));
      if (rest.isWord(index, "on", "using")) break;
    }
    previous = table.name;
  }
  return { conditions, nested, joins };
}

/** One part for each table. It begins after a comma or the words of a join. */
function partsOf(range: TokenRange): readonly TokenRange[] {
  const parts: TokenRange[] = [];
  let from = range.from;
  for (const index of range.outer()) {
    const isCall = range.isSymbol(index + 1, "(") && range.isWord(index, "left", "right");
    if (index < from || isCall) continue;
    const isBoundary = range.isSymbol(index, ",") || range.isWord(index, ...joinWords);
    if (!isBoundary) continue;
    if (index > from) parts.push(range.slice(from, index));
    from = index + 1;
  }
  if (from < range.to) parts.push(range.slice(from, range.to));
  return parts;
}

function addTable(
  part: TokenRange,
  scope: QueryScope,
  found: { readonly conditions: TokenRange[]; readonly nested: TokenRange[] },
): { readonly name: readonly string[] | undefined; readonly next: number } {
  if (part.isSymbol(part.from, "(")) {
    const inner = part.within(part.from);
    const { alias, next } = aliasAt(part, part.skip(part.from));
    if (inner.isWord(inner.from, "select", "with", "values") || inner.isSymbol(inner.from, "(")) {
      found.nested.push(inner);
      scope.addDerived(alias);
    } else {
      const list = readTableList(inner, scope);
      found.conditions.push(...list.conditions);
      found.nested.push(...list.nested);
    }
    return { name: undefined, next };
  }
  let end = part.from + 1;
  while (part.isSymbol(end, ".")) end += 2;
  const name = readName(part.slice(part.from, end));
  const isFunction = part.isSymbol(end, "(");
  const { alias, next } = aliasAt(part, isFunction ? part.skip(end) : end);
  if (name === undefined || isFunction) scope.addDerived(alias);
  else scope.addTable(name, alias);
  return { name: isFunction ? undefined : name, next };
}

function aliasAt(part: TokenRange, at: number): { readonly alias: string | undefined; readonly next: number } {
  const index = part.isWord(at, "as") ? at + 1 : at;
  const token = part.at(index);
  const isAlias = token?.kind === "name" || (token?.kind === "word" && !afterTable.has(token.value));
  return isAlias ? { alias: token.value, next: index + 1 } : { alias: undefined, next: at };
}

function joinByName(
  columns: TokenRange,
  left: readonly string[] | undefined,
  right: readonly string[] | undefined,
): readonly ShapeJoin[] {
  const names = columns.split((index) => columns.isSymbol(index, ",")).map((each) => readName(each)?.at(-1));
  if (left === undefined || right === undefined || names.some((name) => name === undefined)) return [];
  const of = (table: readonly string[]) => names.map((column) => ({ table, column: column ?? "" }));
  return [{ start: columns.start, end: columns.end, from: of(left), to: of(right), isConditional: false }];
}
