import type { SqlNode } from "@bridle/sql";
import { redactSensitive } from "@bridle/warehouse";
import { writeColumn } from "./model-names.ts";
import { printLiteral } from "./print-sql-node.ts";
import type { ResolvedColumn, StatementScope } from "./statement-scope.ts";

export interface ConditionUse {
  readonly column: ResolvedColumn;
  /**
   * The condition in the syntax of models. Undefined if its value is a parameter or sensitive, and for comparisons with a bound and other
   * conditions that do not define a group of rows.
   */
  readonly condition: string | undefined;
  /** Whether the condition compares the column with a bound, as `<` and BETWEEN do. */
  readonly isBound: boolean;
}

const bounds = new Set(["<", "<=", ">", ">=", "between"]);

/** Reads a condition on one column of a table. Returns undefined if it has several columns, or none. */
export function readConditionUse(node: SqlNode, scope: StatementScope): ConditionUse | undefined {
  const { column, isComputed } = columnIn(node, scope) ?? {};
  if (column === undefined) return undefined;
  const isBound = node.kind === "operation" && bounds.has(node.operator);
  const printed = isComputed || isBound ? undefined : printCondition(node, column.column);
  const isSensitive = column.table.columns.find(({ name }) => name === column.column)?.isSensitive === true;
  const isKept = printed !== undefined && !isSensitive && redactSensitive(printed) === printed;
  return { column, condition: isKept ? printed : undefined, isBound };
}

interface FoundColumn {
  readonly column: ResolvedColumn;
  /** Whether the column is within a function. */
  readonly isComputed: boolean;
}

/** Returns the column of a condition that has exactly one. Undefined if the condition has subqueries or CASE. */
function columnIn(node: SqlNode, scope: StatementScope): FoundColumn | undefined {
  const columns: FoundColumn[] = [];
  const walk = (part: SqlNode, isComputed: boolean): boolean => {
    if (part.kind === "query" || part.kind === "case") return false;
    if (part.kind === "operation") {
      const isArithmetic = !/^(?:and|or|not|in|between|i?like|is|is not|=|==|<>|!=|<|<=|>|>=)$/.test(part.operator);
      return part.operands.every((each) => walk(each, isComputed || isArithmetic));
    }
    if (part.kind === "call") return part.args.every((each) => walk(each, true));
    if (part.kind === "cast") return walk(part.operand, isComputed);
    if (part.kind === "list") return part.items.every((each) => walk(each, isComputed));
    if (part.kind !== "column") return true;
    const column = scope.resolve(part.path);
    if (column) columns.push({ column, isComputed });
    return column !== undefined;
  };
  const [first, ...others] = walk(node, false) ? columns : [];
  const isOne = others.every(
    ({ column }) => column.column === first?.column.column && column.source === first.column.source,
  );
  return isOne ? first : undefined;
}

/** Writes conditions such as `status = 'paid'`, `status IN (…)`, `paid_at IS NULL` and `is_test`, and their negations. */
function printCondition(node: SqlNode, column: string): string | undefined {
  const name = writeColumn(column);
  if (node.kind === "column") return name;
  if (node.kind !== "operation") return undefined;
  const [left, right] = node.operands;
  if (left === undefined) return undefined;
  if (node.operator === "not") return printNot(left, column);
  if (right === undefined || left.kind !== "column") return undefined;
  if (["is", "is not"].includes(node.operator)) return printIs(node.operator, right, name);
  if (node.operator === "in") return printIn(right, name, "IN");
  const operator = { "=": "=", "==": "=", "<>": "<>", "!=": "<>" }[node.operator];
  const value = right.kind === "literal" && right.value !== null ? printLiteral(right.value) : undefined;
  return operator === undefined || value === undefined ? undefined : `${name} ${operator} ${value}`;
}

function printNot(inner: SqlNode, column: string): string | undefined {
  const name = writeColumn(column);
  if (inner.kind === "column") return `NOT ${name}`;
  const [left, right] = inner.kind === "operation" && inner.operator === "in" ? inner.operands : [];
  return left?.kind === "column" && right ? printIn(right, name, "NOT IN") : undefined;
}

function printIs(operator: string, right: SqlNode, name: string): string | undefined {
  if (right.kind !== "literal" || typeof right.value === "string" || typeof right.value === "number") return undefined;
  if (right.value === null) return `${name} ${operator.toUpperCase()} NULL`;
  return (operator === "is") === right.value ? name : `NOT ${name}`;
}

function printIn(right: SqlNode, name: string, word: string): string | undefined {
  const items = right.kind === "list" ? right.items : [right];
  const values = items.map((item) =>
    item.kind === "literal" && item.value !== null ? printLiteral(item.value) : undefined,
  );
  const isWhole = values.every((value) => value !== undefined) && values.length > 0 && values.length <= 10;
  return isWhole ? `${name} ${word} (${values.toSorted().join(", ")})` : undefined;
}
