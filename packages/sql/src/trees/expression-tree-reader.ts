/** Reads expressions as trees that keep what matters about columns, aggregations and conditions. */
import { wordSet } from "../select/select-grammar.ts";
import { readOperandTree } from "./operand-tree-reader.ts";
import { operationOf, type SqlNode } from "./statement-tree.ts";
import type { TreeReading } from "./tree-reading.ts";

const comparisons = wordSet("= == <> != !== < <= > >= <=> !< !> ~ ~* !~ !~* ~~ !~~ @> <@ &&");
const additions = new Set(["+", "-", "||", "&", "|", "^"]);
const products = new Set(["*", "/", "%", "div", "mod"]);
const likes = new Set(["like", "ilike", "rlike", "regexp", "glob", "similar"]);
const quantifiers = wordSet("any all some");

export function readExpressionTree(reading: TreeReading): SqlNode {
  return reading.cursor.nest(() => readEither(reading));
}

function readEither(reading: TreeReading): SqlNode {
  return readChain(reading, "or", () => readChain(reading, "and", () => readTerm(reading)));
}

function readChain(reading: TreeReading, word: string, read: () => SqlNode): SqlNode {
  const { cursor } = reading;
  const first = read();
  const others: SqlNode[] = [];
  while (cursor.accept(word)) others.push(read());
  return others.length === 0 ? first : operationOf(word, first, ...others);
}

/** Reads one of the terms that AND and OR connect. The term's position does not include the parentheses around it. */
function readTerm(reading: TreeReading): SqlNode {
  const { start } = reading.cursor.peek();
  const node = readNegated(reading);
  if (!reading.spans.has(node)) reading.spans.set(node, { start, end: reading.cursor.peek(-1).end });
  return node;
}

function readNegated(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  if (!cursor.accept("not")) return readComparison(reading);
  return operationOf(
    "not",
    cursor.nest(() => readNegated(reading)),
  );
}

function readComparison(reading: TreeReading): SqlNode {
  const { cursor } = reading;
  let left = readSum(reading);
  for (;;) {
    const negation = cursor.at("not") && !cursor.at("null", 1) ? cursor.accept("not") : false;
    const found = readCompared(reading, left);
    if (found === undefined) return left;
    left = negation ? operationOf("not", found) : found;
  }
}

function readCompared(reading: TreeReading, left: SqlNode): SqlNode | undefined {
  const { cursor } = reading;
  const symbol = cursor.acceptAny(comparisons);
  if (symbol !== undefined) {
    cursor.acceptAny(quantifiers);
    return operationOf(symbol, left, readSum(reading));
  }
  if (cursor.accept("is")) return readIs(reading, left);
  if (cursor.accept("in")) return operationOf("in", left, readOperandTree(reading));
  if (cursor.accept("between")) {
    cursor.accept("symmetric");
    const from = readSum(reading);
    cursor.expect("and");
    return operationOf("between", left, from, readSum(reading));
  }
  const word = cursor.acceptAny(likes);
  if (word === undefined) return undefined;
  cursor.accept("to");
  const pattern = readSum(reading);
  return cursor.accept("escape")
    ? operationOf(word, left, pattern, readSum(reading))
    : operationOf(word, left, pattern);
}

function readIs(reading: TreeReading, left: SqlNode): SqlNode {
  const { cursor } = reading;
  const operator = cursor.accept("not") ? "is not" : "is";
  if (cursor.accept("distinct", "from")) return operationOf(operator === "is" ? "<>" : "=", left, readSum(reading));
  return operationOf(operator, left, readOperandTree(reading));
}

function readSum(reading: TreeReading): SqlNode {
  return readBinary(reading, additions, () => readBinary(reading, products, () => readOperandTree(reading)));
}

function readBinary(reading: TreeReading, operators: ReadonlySet<string>, read: () => SqlNode): SqlNode {
  const { cursor } = reading;
  let left = read();
  for (let operator = cursor.acceptAny(operators); operator !== undefined; operator = cursor.acceptAny(operators))
    left = operationOf(operator, left, read());
  return left;
}
