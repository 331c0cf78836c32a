/** Reads names, calls, literals and the contents of parentheses. */
import { atName, readDottedName, readName } from "../select/names.ts";
import { wordSet } from "../select/select-grammar.ts";
import { type SqlToken, writtenName } from "../tokens/sql-token.ts";
import { listNodeOf, negativeOf, operationOf, type SqlBranch, type SqlNode } from "./statement-tree.ts";
import type { TreeReading } from "./tree-reading.ts";

const literalPrefixes = wordSet("date timestamp timestamptz datetime time interval");
const signs = wordSet("+ ~");
const quantifiers = wordSet("any all some");
const typeWords = wordSet("precision varying unsigned signed integer");
const closingBracket = wordSet("]");
const constants: readonly (readonly [string, boolean | null])[] = [
  ["null", null],
  ["true", true],
  ["false", false],
];

export function readNodes(reading: TreeReading): SqlNode[] {
  const found = [reading.expression()];
  while (reading.cursor.accept(",")) found.push(reading.expression());
  return found;
}

export function atTreeQuery({ cursor }: TreeReading, ahead = 0): boolean {
  return cursor.at("select", ahead) || cursor.at("with", ahead);
}

/**
 * Reads a dotted name. Splits a part in backticks at its dots, because BigQuery quotes whole paths. In other quotes, a dot is part of a
 * name.
 */
export function readPath(reading: TreeReading): string[] {
  return readDottedName(reading).flatMap(partsOfName);
}

function partsOfName(token: SqlToken): string[] {
  return token.raw.startsWith("`") ? token.value.split(".") : [writtenName(token)];
}

export function readOperandTree(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  if (cursor.acceptAny(signs)) return readInner(reading);
  if (cursor.accept("-")) return negativeOf(readInner(reading));
  let node = readPrimaryTree(reading);
  for (;;) {
    if (cursor.accept("::")) {
      skipType(reading);
      node = { kind: "cast", operand: node };
    } else if (cursor.at("[")) {
      cursor.next();
      cursor.skipRest(closingBracket);
      cursor.expect("]");
      node = operationOf("[]", node);
    } else if (cursor.accept("->") || cursor.accept("->>")) node = operationOf("->", node, readPrimaryTree(reading));
    else if (cursor.accept("collate")) {
      readPath(reading);
      if (node.kind !== "column") node = operationOf("collate", node);
    } else if (cursor.accept("at", "time", "zone")) node = operationOf("zone", node, readPrimaryTree(reading));
    else return node;
  }
}

function readInner(reading: TreeReading): SqlNode {
  return reading.cursor.nest(() => readOperandTree(reading));
}

function readPrimaryTree(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  const token = cursor.peek();
  if (token.kind === "number") return { kind: "literal", value: Number(cursor.next().value) };
  if (token.kind === "text") return { kind: "literal", value: cursor.next().value };
  if (cursor.accept("(")) return readParenthesizedTree(reading);
  if (cursor.accept("*")) return { kind: "star" };
  if (token.kind === "parameter") {
    cursor.next();
    return { kind: "parameter" };
  }
  if (cursor.accept("case")) return readCaseTree(reading);
  if (cursor.accept("exists")) return operationOf("exists", readInner(reading));
  if (cursor.acceptAny(quantifiers)) return readInner(reading);
  if (cursor.accept("array") || cursor.at("[")) return readArrayTree(reading);
  if (cursor.atAny(literalPrefixes) && cursor.peek(1).kind === "text") return readPrefixed(reading);
  for (const [word, value] of constants) if (cursor.accept(word)) return { kind: "literal", value };
  return readNameTree(reading);
}

function readArrayTree(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  if (cursor.at("(") && atTreeQuery(reading, 1)) return readOperandTree(reading);
  if (cursor.at("(")) cursor.skipParentheses();
  else {
    cursor.expect("[");
    cursor.skipRest(closingBracket);
    cursor.expect("]");
  }
  return { kind: "parameter" };
}

/** Reads `DATE '2025-01-01'` or `INTERVAL '1' DAY`. */
function readPrefixed(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  const prefix = cursor.next().value;
  const text = cursor.next().value;
  if (prefix === "interval" && cursor.peek().kind === "word" && atName(reading)) cursor.next();
  return prefix === "interval" ? { kind: "parameter" } : { kind: "literal", value: text };
}

function readParenthesizedTree(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  if (atTreeQuery(reading) || cursor.at("(")) return readGroupOrQuery(reading);
  const items = cursor.at(")") ? [] : readNodes(reading);
  cursor.expect(")");
  const [only, ...others] = items;
  return only !== undefined && others.length === 0 ? only : { kind: "list", items };
}

function readGroupOrQuery(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  let ahead = 0;
  while (cursor.at("(", ahead)) ahead += 1;
  const isQuery = atTreeQuery(reading, ahead);
  const node: SqlNode = isQuery ? { kind: "query", query: reading.query() } : listNodeOf(readNodes(reading));
  cursor.expect(")");
  return node;
}

function readCaseTree(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  const subject = cursor.at("when") ? undefined : reading.expression();
  const branches: SqlBranch[] = [];
  while (cursor.accept("when")) {
    const value = reading.expression();
    cursor.expect("then");
    branches.push({ when: subject ? operationOf("=", subject, value) : value, then: reading.expression() });
  }
  const otherwise = cursor.accept("else") ? reading.expression() : undefined;
  cursor.expect("end");
  return { kind: "case", branches, otherwise };
}

function readNameTree(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  if (cursor.peek().kind === "word" && cursor.at("(", 1)) return readCallTree(reading, [cursor.next().value]);
  if (cursor.accept("interval")) {
    reading.expression();
    if (atName(reading)) cursor.next();
    return { kind: "parameter" };
  }
  const path = readPath(reading);
  if (cursor.at("(")) return readCallTree(reading, path);
  if (cursor.accept(".", "*")) return { kind: "star", path };
  return { kind: "column", path };
}

function readCallTree(reading: TreeReading, path: readonly string[]): SqlNode {
  const { cursor } = reading;
  const name = (path.at(-1) ?? "").toLowerCase();
  cursor.expect("(");
  const isDistinct = cursor.accept("distinct");
  cursor.accept("all");
  const args = cursor.at(")") ? [] : readArgumentTrees(reading, name);
  cursor.expect(")");
  if (cursor.at("(")) cursor.skipParentheses();
  if (cursor.accept("within", "group")) cursor.skipParentheses();
  const filter = cursor.accept("filter") ? readFilter(reading) : undefined;
  if (!cursor.accept("ignore", "nulls")) cursor.accept("respect", "nulls");
  const isWindow = cursor.accept("over");
  const partition = isWindow ? readPartition(reading) : [];
  if (name === "cast" || name === "try_cast") return { kind: "cast", operand: args[0] ?? { kind: "star" } };
  return { kind: "call", name, args, isDistinct, filter, isWindow, partition };
}

/** Reads the `PARTITION BY` of a window. Does not look up named windows. */
function readPartition(reading: TreeReading): readonly SqlNode[] {
  const { cursor } = reading;
  if (!cursor.at("(")) {
    readName(reading);
    return [];
  }
  cursor.expect("(");
  const partition = cursor.accept("partition", "by") ? readNodes(reading) : [];
  cursor.skipRest(new Set());
  cursor.expect(")");
  return partition;
}

function readFilter(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  cursor.expect("(", "where");
  const node = reading.expression();
  cursor.expect(")");
  return node;
}

/**
 * Reads arguments, with words between them as in `extract(year from a)`, `cast(a as type)` and `group_concat(a order by b separator ',')`.
 */
function readArgumentTrees(reading: TreeReading, name: string): SqlNode[] {
  const { cursor } = reading;
  const args: SqlNode[] = [];
  if (name === "extract" && cursor.at("from", 1)) {
    args.push({ kind: "literal", value: cursor.next().raw.toLowerCase() });
    cursor.next();
  }
  do args.push(atTreeQuery(reading) ? { kind: "query", query: reading.query() } : reading.expression());
  while (cursor.accept(",") || cursor.accept("from") || cursor.accept("for"));
  if (cursor.accept("as")) skipType(reading);
  if (!cursor.at(")")) cursor.skipRest(new Set());
  return args;
}

function skipType(reading: TreeReading): void {
  const { cursor } = reading;
  readPath(reading);
  while (cursor.peek().kind === "word" && atName(reading) && typeWords.has(cursor.peek().value)) cursor.next();
  if (cursor.at("(")) cursor.skipParentheses();
  while (cursor.accept("[", "]") || cursor.acceptAny(typeWords)) {
    // For example the brackets of an array type.
  }
  if (!cursor.accept("with", "time", "zone")) cursor.accept("without", "time", "zone");
}
