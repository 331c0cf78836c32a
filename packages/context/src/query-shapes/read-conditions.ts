/** Reads conditions: equal columns of two tables are joins, and columns with a value are filters. */

import type { QueryScope } from "./query-scope.ts";
import type { ShapeColumn, ShapeFilter, ShapeJoin } from "./query-shape.ts";
import type { TokenRange } from "./token-range.ts";

interface Equality {
  readonly left: ShapeColumn;
  readonly right: ShapeColumn;
  readonly range: TokenRange;
}

const comparisons = new Set(["=", "<", ">", "<=", ">=", "<>", "!="]);

export function readConditions(
  ranges: readonly TokenRange[],
  scope: QueryScope,
): { readonly joins: readonly ShapeJoin[]; readonly filters: readonly ShapeFilter[]; readonly others: number } {
  const joins: ShapeJoin[] = [];
  const filters: ShapeFilter[] = [];
  let unread = 0;
  for (const range of ranges) {
    const terms = conjuncts(range);
    const equalities = terms.flatMap((term) => readEquality(term, scope) ?? []);
    const found = terms.flatMap((term) => readFilter(term, scope) ?? []);
    const others = terms.length - equalities.length - found.length;
    unread += others;
    joins.push(...joinsOf(equalities, found, others));
    filters.push(...found);
  }
  return { joins, filters, others: unread };
}

/** The terms that AND connects. A term with OR is one term. */
function conjuncts(range: TokenRange): readonly TokenRange[] {
  const outer = [...range.outer()];
  if (outer.some((index) => range.isWord(index, "or"))) return [range];
  let isBetween = false;
  const parts = range.split((index) => {
    if (range.isWord(index, "between")) isBetween = true;
    if (!range.isWord(index, "and")) return false;
    const isOfBetween = isBetween;
    isBetween = false;
    return !isOfBetween;
  });
  return parts.flatMap((part) => {
    const isWrapped = part.isSymbol(part.from, "(") && part.skip(part.from) === part.to;
    return isWrapped && !part.within(part.from).isWord(part.from + 1, "select")
      ? conjuncts(part.within(part.from))
      : [part];
  });
}

function readEquality(term: TokenRange, scope: QueryScope): Equality | undefined {
  const [left, right, ...others] = term.split((index) => term.isSymbol(index, "="));
  if (left === undefined || right === undefined || others.length > 0) return undefined;
  const [a, b] = [scope.column(left), scope.column(right)];
  if (a === undefined || b === undefined || sameTable(a, b)) return undefined;
  return { left: a, right: b, range: term };
}

/** Columns of the same two tables are one join, with all of its columns. */
function joinsOf(
  equalities: readonly Equality[],
  filters: readonly ShapeFilter[],
  others: number,
): readonly ShapeJoin[] {
  const pairs = Map.groupBy(equalities, ({ left, right }) => [nameOf(left), nameOf(right)].toSorted().join(" "));
  return [...pairs.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const isTurned = ({ left }: Equality) => nameOf(left) !== nameOf(first.left);
    const turned = group.map((each) => (isTurned(each) ? { ...each, left: each.right, right: each.left } : each));
    const isConditional =
      others > 0 || filters.some(({ on }) => [nameOf(first.left), nameOf(first.right)].includes(nameOf(on)));
    const start = Math.min(...group.map(({ range }) => range.start));
    const end = Math.max(...group.map(({ range }) => range.end));
    return [{ start, end, from: turned.map(({ left }) => left), to: turned.map(({ right }) => right), isConditional }];
  });
}

function readFilter(term: TokenRange, scope: QueryScope): ShapeFilter | undefined {
  const at = [...term.outer()].find((index) => operatorAt(term, index) !== undefined);
  const operator = at === undefined ? undefined : operatorAt(term, at);
  if (at === undefined || operator === undefined) return undefined;
  const on = scope.column(term.slice(term.from, at));
  const value = term.slice(at + operator.split(" ").length, term.to);
  if (on === undefined || !(operator.startsWith("is ") || isValue(value))) return undefined;
  return { start: term.start, end: term.end, on, operator };
}

function operatorAt(term: TokenRange, index: number): string | undefined {
  const token = term.at(index);
  if (token?.kind === "symbol") return comparisons.has(token.value) ? token.value : undefined;
  if (term.isWord(index, "not") && term.isWord(index + 1, "in", "like", "between", "ilike"))
    return `not ${term.at(index + 1)?.value}`;
  if (term.isWord(index, "is")) return term.isWord(index + 1, "not") ? "is not null" : "is null";
  return term.isWord(index, "in", "like", "ilike", "between") ? token?.value : undefined;
}

/** Words in values that are not functions. */
const valueWords = new Set(
  (
    "null true false date time timestamp interval current_date current_timestamp current_time localtimestamp and " +
    "second minute hour day week month quarter year seconds minutes hours days weeks months years array"
  ).split(" "),
);

/** Whether it contains no column of a table: literals, parameters, functions of these. */
function isValue(range: TokenRange): boolean {
  if (range.isEmpty) return false;
  for (let index = range.from; index < range.to; index += 1) {
    const token = range.at(index);
    const isCall = range.isSymbol(index + 1, "(");
    if (token?.kind === "name" || range.isWord(index, "select") || range.isSymbol(index + 1, ".")) return false;
    if (token?.kind === "word" && !isCall && !valueWords.has(token.value)) return false;
    if (token?.kind === "symbol" && comparisons.has(token.value)) return false;
  }
  return true;
}

function sameTable(a: ShapeColumn, b: ShapeColumn): boolean {
  return nameOf(a) === nameOf(b);
}

function nameOf({ table }: ShapeColumn): string {
  return table.join(".").toLowerCase();
}
