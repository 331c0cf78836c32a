/** Converts filter expressions for strings, such as `FOO%,-FOOD`. Exclusions keep rows without a value. */
import type { ParsedExpression } from "@bridle/semantic/model-parts";
import { refuseImport } from "../../import-report.ts";
import { binaryOf, combineParts, nullTest, textValue } from "./filter-parts.ts";

export function textFilter(operand: ParsedExpression, expression: string): ParsedExpression | undefined {
  const items = splitItems(expression);
  const included = items.filter(({ isExcluded }) => !isExcluded).map((item) => includes(operand, item));
  const excluded = items.filter(({ isExcluded }) => isExcluded).map((item) => excludes(operand, item));
  return combineParts(included, excluded);
}

interface TextItem {
  readonly isExcluded: boolean;
  /** The text, without escapes. */
  readonly text: string;
  readonly hasWildcard: boolean;
  readonly isQuoted: boolean;
}

function splitItems(expression: string): readonly TextItem[] {
  const raw = expression.match(/(?:"[^"]*"|\^[\s\S]|\\,|[^,])+/g) ?? [];
  return raw
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .map(readItem);
}

function readItem(raw: string): TextItem {
  const isExcluded = raw.startsWith("-");
  const rest = isExcluded ? raw.slice(1) : raw;
  const quoted = /^"([^"]*)"$/.exec(rest)?.[1];
  if (quoted === undefined && rest.includes('"') && !/\^"/.test(rest))
    refuseImport(`The filter "${raw}" has a quote within a value. Write ^".`);
  const inner = quoted ?? rest;
  const hasWildcard = /(?<!\^)[%_]/.test(inner);
  if (hasWildcard && /\^[%_]/.test(inner))
    refuseImport(`The filter "${raw}" has a wildcard and an escaped one. Filter by sql in the field.`);
  return {
    isExcluded,
    text: inner.replace(/\^([\s\S])/g, "$1").replaceAll("\\,", ","),
    hasWildcard,
    isQuoted: quoted !== undefined,
  };
}

function includes(operand: ParsedExpression, item: TextItem): ParsedExpression {
  const { text, hasWildcard, isQuoted } = item;
  if (!isQuoted && text.toUpperCase() === "NULL") return nullTest(operand);
  if (!isQuoted && text.toUpperCase() === "EMPTY")
    return binaryOf("or", nullTest(operand), binaryOf("=", operand, textValue("")));
  if (hasWildcard) return { kind: "like", operand, pattern: text, isNegated: false };
  return binaryOf("=", operand, textValue(text));
}

function excludes(operand: ParsedExpression, item: TextItem): ParsedExpression {
  const { text, hasWildcard, isQuoted } = item;
  if (!isQuoted && text.toUpperCase() === "NULL") return nullTest(operand, true);
  if (!isQuoted && text.toUpperCase() === "EMPTY")
    return binaryOf("and", nullTest(operand, true), binaryOf("<>", operand, textValue("")));
  const differs: ParsedExpression = hasWildcard
    ? { kind: "like", operand, pattern: text, isNegated: true }
    : binaryOf("<>", operand, textValue(text));
  return binaryOf("or", differs, nullTest(operand));
}
