import type { SqlNode } from "@bridle/sql";
import { writeColumn } from "./model-names.ts";

/** Returns the column that a reference names; undefined if the column belongs to another table. */
export type OwnColumn = (path: readonly string[]) => string | undefined;

const operators: ReadonlyMap<string, string> = new Map(
  ["+", "-", "*", "/", "=", "<>", "<", "<=", ">", ">=", "and", "or"].map((word) => [word, word.toUpperCase()]),
);
const functions = new Set(["coalesce", "nullif", "abs", "lower", "upper", "trim", "floor", "ceil", "length", "concat"]);
const maxTextLength = 60;

/** Writes a node as a model's expression over columns of one table; undefined if that is not possible. */
export function printSqlNode(node: SqlNode, own: OwnColumn): string | undefined {
  switch (node.kind) {
    case "column":
      return printColumn(node.path, own);
    case "literal":
      return printLiteral(node.value);
    case "operation":
      return printOperation(node.operator, node.operands, own);
    case "call":
      return node.isWindow || node.filter || !functions.has(node.name)
        ? undefined
        : printCall(node.name, node.args, own);
    case "case":
      return printCase(node, own);
    default:
      return undefined;
  }
}

function printColumn(path: readonly string[], own: OwnColumn): string | undefined {
  const column = own(path);
  return column === undefined ? undefined : writeColumn(column);
}

/**
 * Writes a literal. Returns undefined for a string that is too long to name a group, and for a string with a backslash or control
 * character, because engines read these characters differently.
 */
export function printLiteral(value: string | number | boolean | null): string | undefined {
  if (typeof value !== "string") return value === null ? "NULL" : String(value);
  if (value.length > maxTextLength || /[\\\p{Cc}]/u.test(value)) return undefined;
  return `'${value.replaceAll("'", "''")}'`;
}

function printOperation(operator: string, operands: readonly SqlNode[], own: OwnColumn): string | undefined {
  const symbol = operators.get({ "==": "=", "!=": "<>" }[operator] ?? operator);
  const parts = printAll(operands, own);
  if (parts === undefined) return undefined;
  const [first = "", second = ""] = parts;
  if (symbol !== undefined) return parts.map((part, at) => wrapped(part, operands[at])).join(` ${symbol} `);
  if (operator === "not") return `NOT ${wrapped(first, operands[0])}`;
  if (operator === "negate") return `-${wrapped(first, operands[0])}`;
  const isNullTest = operator.startsWith("is") && second === "NULL";
  return isNullTest ? `${first} ${operator.toUpperCase()} NULL` : undefined;
}

function wrapped(text: string, node: SqlNode | undefined): string {
  return node?.kind === "operation" ? `(${text})` : text;
}

function printAll(nodes: readonly SqlNode[], own: OwnColumn): readonly string[] | undefined {
  const parts = nodes.map((node) => printSqlNode(node, own));
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function printCall(name: string, args: readonly SqlNode[], own: OwnColumn): string | undefined {
  const parts = printAll(args, own);
  return parts && `${name}(${parts.join(", ")})`;
}

function printCase({ branches, otherwise }: Extract<SqlNode, { kind: "case" }>, own: OwnColumn): string | undefined {
  const parts = branches.map(({ when, then }) => printAll([when, then], own));
  const last = otherwise && printSqlNode(otherwise, own);
  if (!parts.every((part) => part !== undefined) || (otherwise && last === undefined)) return undefined;
  const whens = parts.map(([when = "", then = ""]) => `WHEN ${when} THEN ${then}`);
  return `CASE ${whens.join(" ")}${last === undefined ? "" : ` ELSE ${last}`} END`;
}
