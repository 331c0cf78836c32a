import { columnPathsOf, partsOf, type SqlCall, type SqlNode } from "@bridle/sql";
import { type OwnColumn, printSqlNode } from "./print-sql-node.ts";
import type { HistoryTable, UsedAggregate, UsedAggregation } from "./query-history.ts";
import type { StatementScope } from "./statement-scope.ts";

export interface AggregateUse {
  readonly table: HistoryTable;
  readonly aggregate: Omit<UsedAggregate, "name">;
}

const aggregations: ReadonlyMap<string, UsedAggregation> = new Map([
  ["sum", "sum"],
  ["avg", "avg"],
  ["mean", "avg"],
  ["min", "min"],
  ["max", "max"],
  ["count", "count"],
  ["median", "median"],
]);

/**
 * Returns the aggregations in a part of a SELECT, each over the columns of one table. Leaves out window aggregations, because they
 * aggregate other rows.
 */
export function readAggregates(node: SqlNode, scope: StatementScope): readonly AggregateUse[] {
  if (node.kind === "call" && aggregations.has(node.name)) {
    const use = node.isWindow ? undefined : aggregateOf(node, scope);
    return use === undefined ? [] : [use];
  }
  return partsOf(node).flatMap((part) => readAggregates(part, scope));
}

export function hasAggregate(node: SqlNode): boolean {
  return (node.kind === "call" && aggregations.has(node.name)) || partsOf(node).some(hasAggregate);
}

function aggregateOf(call: SqlCall, scope: StatementScope): AggregateUse | undefined {
  const agg = call.isDistinct && call.name === "count" ? "count_distinct" : aggregations.get(call.name);
  const [arg = { kind: "star" }, ...more] = call.args;
  if (agg === undefined || more.length > 0) return undefined;
  const isRows = arg.kind === "star" || (arg.kind === "literal" && arg.value !== null);
  if (isRows && !call.filter) return countOfRows(agg, scope);
  const { operand, when } = withCondition(arg, call.filter);
  const owner = ownerOf([operand, ...(when ? [when] : [])], scope);
  if (owner === undefined) return undefined;
  const expr = operand.kind === "star" || operand.kind === "literal" ? undefined : printSqlNode(operand, owner.own);
  const filter = when && printSqlNode(when, owner.own);
  const isCount = agg === "count" || (agg === "sum" && operand.kind === "literal" && operand.value === 1);
  if ((when && filter === undefined) || (expr === undefined && !(isCount && when))) return undefined;
  return { table: owner.table, aggregate: { agg: expr === undefined ? "count" : agg, expr, filter } };
}

/** Returns a count of the first table's rows, because the other tables are joined to it. */
function countOfRows(agg: UsedAggregation, { sources }: StatementScope): AggregateUse | undefined {
  const table = sources[0]?.table;
  return agg === "count" && table ? { table, aggregate: { agg, expr: undefined, filter: undefined } } : undefined;
}

/**
 * Splits an argument into a value and its condition: `CASE WHEN condition THEN value END`, optionally with ELSE 0 or NULL, or a value with
 * `FILTER (WHERE condition)`.
 */
function withCondition(arg: SqlNode, filter: SqlNode | undefined): { operand: SqlNode; when: SqlNode | undefined } {
  const [branch, ...others] = arg.kind === "case" ? arg.branches : [];
  const last = arg.kind === "case" ? arg.otherwise : undefined;
  const isEmpty = last === undefined || (last.kind === "literal" && (last.value === null || last.value === 0));
  if (filter || !branch || others.length > 0 || !isEmpty) return { operand: arg, when: filter };
  return { operand: branch.then, when: branch.when };
}

/**
 * Returns the table that has all columns of the nodes. Undefined if there are columns of several tables, unknown columns or sensitive
 * columns.
 */
function ownerOf(
  nodes: readonly SqlNode[],
  scope: StatementScope,
): { readonly table: HistoryTable; readonly own: OwnColumn } | undefined {
  const columns = nodes.flatMap(columnPathsOf).map((path) => scope.resolve(path));
  const [first] = columns;
  const isOne = columns.every((each) => each !== undefined && each.source === first?.source);
  if (first === undefined || !isOne) return undefined;
  const sensitive = new Set(first.table.columns.flatMap(({ name, isSensitive }) => (isSensitive ? [name] : [])));
  if (columns.some((each) => sensitive.has(each?.column ?? ""))) return undefined;
  return { table: first.table, own: (path) => scope.resolve(path)?.column };
}
