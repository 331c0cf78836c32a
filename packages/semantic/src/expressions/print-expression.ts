import type { ParsedExpression } from "./expression.ts";

type WriteName = (path: readonly string[]) => string;

/** Writes an expression in the language of models, with parentheses around each operation. */
export function printExpression(parsed: ParsedExpression, writeName: WriteName = quotePath): string {
  const print = (part: ParsedExpression) => printExpression(part, writeName);
  switch (parsed.kind) {
    case "name":
      return writeName(parsed.path);
    case "literal":
      return printLiteral(parsed);
    case "unary":
      return `(${parsed.operator} ${print(parsed.operand)})`;
    case "binary":
      return `(${print(parsed.left)} ${parsed.operator} ${print(parsed.right)})`;
    case "is_null":
      return `(${print(parsed.operand)} is ${parsed.isNegated ? "not " : ""}null)`;
    case "in":
      return `(${print(parsed.operand)} ${parsed.isNegated ? "not " : ""}in (${parsed.values.map(print).join(", ")}))`;
    case "like":
      return `(${print(parsed.operand)} ${parsed.isNegated ? "not " : ""}${parsed.isCaseless ? "ilike" : "like"} ${quoteText(parsed.pattern)})`;
    case "case":
      return printCase(parsed, print);
    case "cast":
      return `cast(${print(parsed.operand)} as ${parsed.to}${parsed.digits ? `(${parsed.digits.join(", ")})` : ""})`;
    case "call":
      return `${parsed.name}(${parsed.isDistinct ? "distinct " : ""}${parsed.args.map(print).join(", ") || (parsed.name === "count" ? "*" : "")})`;
  }
}

function printLiteral({ type, value }: Extract<ParsedExpression, { kind: "literal" }>): string {
  if (type === "text") return quoteText(value);
  if (type === "null") return "null";
  return type === "date" || type === "timestamp" ? `${type} ${quoteText(value)}` : value;
}

function quotePath(path: readonly string[]): string {
  return path.map((part) => (part.startsWith("{") ? part : `"${part.replaceAll('"', '""')}"`)).join(".");
}

function printCase(
  { branches, otherwise }: Extract<ParsedExpression, { kind: "case" }>,
  print: (part: ParsedExpression) => string,
): string {
  const whens = branches.map(({ when, then }) => `when ${print(when)} then ${print(then)}`);
  const last = otherwise ? ` else ${print(otherwise)}` : "";
  return `case ${whens.join(" ")}${last} end`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
