/** Converts filter expressions for numbers, such as `>1 AND <100, NOT 2` or `[5, 90)`. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";
import { binaryOf, chainOf, combineParts, nullTest, numberValue } from "./filter-parts.ts";

const number = String.raw`-?(?:\d+(?:\.\d+)?|\.\d+)`;
const comparison = new RegExp(String.raw`^(>=|<=|<>|!=|>|<|=)?\s*(${number})$`);
const span = new RegExp(String.raw`^(${number})\s+to\s+(${number})$`, "i");
const interval = new RegExp(String.raw`^([[(])\s*(${number}|-inf)?\s*,\s*(${number}|inf)?\s*([\])])$`, "i");

export function numberFilter(operand: ParsedExpression, expression: string): ParsedExpression | undefined {
  const items = expression
    .split(/,(?![^[(]*[\])])|\s+OR\s+/i)
    .map((each) => each.trim())
    .filter((each) => each !== "");
  const negated = items.map((each) => /^(NOT\s+|<>|!=)/i.test(each));
  const [first] = items;
  // `NOT 66, 99, 4` leaves out all three. `NOT 6, >5` would be ambiguous.
  const negatesAll =
    first !== undefined && /^NOT\s/i.test(first) && items.length > 1 && negated.filter(Boolean).length === 1;
  if (negatesAll && !items.slice(1).every((each) => new RegExp(`^${number}$`).test(each)))
    refuseImport(`The filter "${expression}" begins with NOT, which is ambiguous. Write the included values first.`);
  const isExcluded = (index: number) => negatesAll || negated[index] === true;
  const included = items.flatMap((each, index) => (isExcluded(index) ? [] : [includes(operand, each)]));
  const excluded = items.flatMap((each, index) => (isExcluded(index) ? [excludes(operand, each)] : []));
  return combineParts(included, excluded);
}

function includes(operand: ParsedExpression, item: string): ParsedExpression {
  const parts = item.split(/\s+AND\s+/i).map((each) => condition(operand, each.trim()));
  return chainOf("and", parts) ?? refuseImport(`"${item}" is not a number filter. Correct it.`);
}

function condition(operand: ParsedExpression, item: string): ParsedExpression {
  if (/^NULL$/i.test(item)) return nullTest(operand);
  const [, operator = "=", value] = comparison.exec(item) ?? [];
  if (value !== undefined && ["=", ">", "<", ">=", "<="].includes(operator))
    return binaryOf(comparisons[operator] ?? "=", operand, numberValue(value));
  const [, from, to] = span.exec(item) ?? [];
  if (from !== undefined && to !== undefined)
    return binaryOf("and", binaryOf(">=", operand, numberValue(from)), binaryOf("<=", operand, numberValue(to)));
  return inInterval(operand, item);
}

const comparisons: Readonly<Record<string, "=" | ">" | "<" | ">=" | "<=">> = {
  "=": "=",
  ">": ">",
  "<": "<",
  ">=": ">=",
  "<=": "<=",
};

function inInterval(operand: ParsedExpression, item: string): ParsedExpression {
  const [, open, from, to, close] = interval.exec(item) ?? [];
  const bounds = [
    ...(from !== undefined && !/inf/i.test(from)
      ? [binaryOf(open === "[" ? ">=" : ">", operand, numberValue(from))]
      : []),
    ...(to !== undefined && !/inf/i.test(to) ? [binaryOf(close === "]" ? "<=" : "<", operand, numberValue(to))] : []),
  ];
  return chainOf("and", bounds) ?? refuseImport(`"${item}" is not a number filter. Correct it.`);
}

function excludes(operand: ParsedExpression, item: string): ParsedExpression {
  const inner = item.replace(/^(NOT\s+|<>|!=)/i, "").trim();
  if (/^NULL$/i.test(inner)) return nullTest(operand, true);
  if (!new RegExp(`^${number}$`).test(inner))
    refuseImport(
      `The filter "${item}" leaves out a range, and may or may not keep rows without a value. Write the included ranges.`,
    );
  return binaryOf("or", binaryOf("<>", operand, numberValue(inner)), nullTest(operand));
}
