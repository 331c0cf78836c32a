/** Converts functions that engines spell differently to the models' spelling. */
import { mapExpression, type ParsedExpression } from "@bridle/semantic/model-parts";

const renamed: Readonly<Record<string, string>> = {
  ifnull: "coalesce",
  nvl: "coalesce",
  ceiling: "ceil",
  char_length: "length",
  ucase: "upper",
  lcase: "lower",
};

export function withPortableCalls(parsed: ParsedExpression): ParsedExpression {
  return mapExpression(parsed, (part) => {
    if (part.kind !== "call" || part.isDistinct) return undefined;
    const args = part.args.map(withPortableCalls);
    return withSpelling({ ...part, name: renamed[part.name] ?? part.name, args });
  });
}

function withSpelling(call: Extract<ParsedExpression, { kind: "call" }>): ParsedExpression {
  const [first, second, third] = call.args;
  if (["if", "iff", "iif"].includes(call.name) && first && second && call.args.length <= 3)
    return { kind: "case", branches: [{ when: first, then: second }], otherwise: third };
  if (call.name === "safe_divide" && first && second && call.args.length === 2)
    return { kind: "binary", operator: "/", left: first, right: second };
  return call;
}
