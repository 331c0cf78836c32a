import type { ParsedExpression } from "./expression.ts";

/** Writes an expression in the language of models, with parentheses around each operator. */
export function printExpression(parsed: ParsedExpression): string {
  switch (parsed.kind) {
    case "name":
      return parsed.path.map((part) => (part.startsWith("{") ? part : `"${part.replaceAll('"', '""')}"`)).join(".");
    case "literal":
      return printLiteral(parsed);
    case "unary":
      return `(${parsed.operator} ${printExpression(parsed.operand)})`;
    case "binary":
      return `(${printExpression(parsed.left)} ${parsed.operator} ${printExpression(parsed.right)})`;
    case "is_null":
      return `(${printExpression(parsed.operand)} is ${parsed.isNegated ? "not " : ""}null)`;
    case "in":
      return `(${printExpression(parsed.operand)} ${parsed.isNegated ? "not " : ""}in (${parsed.values.map(printExpression).join(", ")}))`;
    case "like":
      return `(${printExpression(parsed.operand)} ${parsed.isNegated ? "not " : ""}like ${quoteText(parsed.pattern)})`;
    case "case":
      return printCase(parsed);
    case "cast":
      return `cast(${printExpression(parsed.operand)} as ${parsed.to})`;
    case "call":
      return `${parsed.name}(${parsed.isDistinct ? "distinct " : ""}${parsed.args.map(printExpression).join(", ") || (parsed.name === "count" ? "*" : "")})`;
  }
}

function printLiteral({ type, value }: Extract<ParsedExpression, { kind: "literal" }>): string {
  if (type === "text") return quoteText(value);
  if (type === "null") return "null";
  return type === "date" || type === "timestamp" ? `${type} ${quoteText(value)}` : value;
}

function printCase({ branches, otherwise }: Extract<ParsedExpression, { kind: "case" }>): string {
  const whens = branches.map(({ when, then }) => `when ${printExpression(when)} then ${printExpression(then)}`);
  const last = otherwise ? ` else ${printExpression(otherwise)}` : "";
  return `case ${whens.join(" ")}${last} end`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
