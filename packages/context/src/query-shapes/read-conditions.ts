/** Reads conditions. Equal columns of two tables are joins, and columns that are compared with a value are filters. */
import { allConditions, partsOf, type SqlNode, type TextSpan } from "@bridle/sql";
import { type QueryScope, tableKeyOf } from "./query-scope.ts";
import type { ShapeColumn, ShapeFilter, ShapeJoin } from "./query-shape.ts";

interface Equality extends TextSpan {
  readonly left: ShapeColumn;
  readonly right: ShapeColumn;
}

export interface ReadConditions {
  readonly joins: readonly ShapeJoin[];
  readonly filters: readonly ShapeFilter[];
  /** The number of terms that are neither joins nor filters. */
  readonly others: number;
}

/** Reads the terms that AND connects. A term with OR counts as one term. */
export function readConditions(
  condition: SqlNode,
  scope: QueryScope,
  spanOf: (term: SqlNode) => TextSpan | undefined,
): ReadConditions {
  const terms = allConditions(condition).map((term) => ({ term, span: spanOf(term) ?? { start: 0, end: 0 } }));
  const equalities = terms.flatMap(({ term, span }) => readEquality(term, span, scope) ?? []);
  const filters = terms.flatMap(({ term, span }) => readFilter(term, span, scope) ?? []);
  const others = terms.length - equalities.length - filters.length;
  return { joins: joinsOf(equalities, filters, others), filters, others };
}

function readEquality(term: SqlNode, { start, end }: TextSpan, scope: QueryScope): Equality | undefined {
  if (term.kind !== "operation" || term.operator !== "=") return undefined;
  const [left, right] = term.operands.map((each) => columnIn(each, scope));
  if (left === undefined || right === undefined || tableKeyOf(left.table) === tableKeyOf(right.table)) return undefined;
  return { left, right, start, end };
}

/** Combines the equalities of the same two tables into one join, with all of its columns. */
function joinsOf(
  equalities: readonly Equality[],
  filters: readonly ShapeFilter[],
  others: number,
): readonly ShapeJoin[] {
  const pairs = Map.groupBy(equalities, ({ left, right }) =>
    [tableKeyOf(left.table), tableKeyOf(right.table)].toSorted().join(" "),
  );
  return [...pairs.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const isTurned = ({ left }: Equality) => tableKeyOf(left.table) !== tableKeyOf(first.left.table);
    const tables = [tableKeyOf(first.left.table), tableKeyOf(first.right.table)];
    return [
      {
        start: Math.min(...group.map(({ start }) => start)),
        end: Math.max(...group.map(({ end }) => end)),
        from: group.map((each) => (isTurned(each) ? each.right : each.left)),
        to: group.map((each) => (isTurned(each) ? each.left : each.right)),
        isConditional: others > 0 || filters.some(({ on }) => tables.includes(tableKeyOf(on.table))),
      },
    ];
  });
}

const operators = new Set(["=", "<", ">", "<=", ">=", "<>", "!=", "in", "like", "ilike", "between"]);
const negatable = new Set(["in", "like", "ilike", "between"]);

function readFilter(term: SqlNode, { start, end }: TextSpan, scope: QueryScope): ShapeFilter | undefined {
  if (term.kind !== "operation") return undefined;
  const [column, ...values] = term.operands;
  if (term.operator === "not") {
    const inner = column?.kind === "operation" && negatable.has(column.operator) ? column : undefined;
    const filter = inner && readFilter(inner, { start, end }, scope);
    return filter && { ...filter, operator: `not ${filter.operator}` };
  }
  const on = columnIn(column, scope);
  if (on === undefined) return undefined;
  const [value, more] = values;
  if (more !== undefined && term.operator !== "between") return undefined; // LIKE with ESCAPE
  if (term.operator === "is" || term.operator === "is not")
    return value?.kind === "literal" ? { start, end, on, operator: `${term.operator} null` } : undefined;
  return operators.has(term.operator) && values.every(isValue)
    ? { start, end, on, operator: term.operator }
    : undefined;
}

function columnIn(node: SqlNode | undefined, scope: QueryScope): ShapeColumn | undefined {
  return node?.kind === "column" ? scope.column(node.path) : undefined;
}

/** Words that engines read as values, although they look like columns. */
const valueWords = /^(?:current_date|current_timestamp|current_time|localtimestamp)$/i;

/** Whether a node contains no column of a table: only literals, parameters, and functions of these. */
function isValue(node: SqlNode): boolean {
  if (node.kind === "column") return node.path.length === 1 && valueWords.test(node.path[0] ?? "");
  if (node.kind === "operation" && node.operator === "collate") return false;
  return node.kind !== "query" && node.kind !== "star" && partsOf(node).every(isValue);
}
