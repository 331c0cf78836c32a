import { readTokens, TokenCursor, type TokenRules, unquoted, writtenName } from "@bridle/sql";
import { refuseMetric } from "../refusals/metric-refusal.ts";

/**
 * The rules for the tokens of expressions. Semicolons, parameters, dollar quotes and control characters are not tokens, so they are refused
 * outside quotes. Within quotes, backslashes and control characters are refused, too, because engines interpret them differently.
 */
const expressionRules: TokenRules = {
  forms: [
    { kind: "space", pattern: /\s+/y },
    {
      kind: "comment",
      pattern: /--|\/\*/y,
      check: (_, source) => refuseMetric("invalid_expression", `"${source}" contains a comment. Remove it.`),
    },
    { kind: "word", pattern: /[\p{L}_][\p{L}\p{N}_$]*/uy, toValue: (raw) => raw.toLowerCase() },
    { kind: "name", pattern: /"(?:[^"]|"")+"|`[^`]+`/y, check: refuseBackslash, toValue: unquoted },
    { kind: "text", pattern: /'(?:[^']|'')*'/y, check: refuseBackslash, toValue: unquoted },
    { kind: "number", pattern: /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}_])/uy },
    { kind: "symbol", pattern: /<>|!=|<=|>=|\|\||::|[-+*/%(),.<>={}]/y },
  ],
  refuse(source, at) {
    const found = source[at] === "'" ? "a text that does not end" : JSON.stringify(source[at]);
    refuseMetric("invalid_expression", `"${source}" contains ${found}, which no expression may. Correct it.`);
  },
};

function refuseBackslash(raw: string, source: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
  if (/[\u0000-\u001f\u007f\\]/.test(raw))
    refuseMetric("invalid_expression", `"${source}" quotes a backslash or a control character. Compare without it.`);
}

/** The maximum nesting of parentheses and operators. Deeper nesting would exhaust the stack. */
const maxDepth = 100;

export function openExpression(source: string): TokenCursor {
  return new TokenCursor(readTokens(source, expressionRules).tokens, {
    maxDepth,
    tooDeep: () =>
      refuseMetric("invalid_expression", `An expression is nested deeper than ${maxDepth} levels. Simplify it.`),
    unexpected(expected, token) {
      const found = token.kind === "end" ? "ends" : `has ${JSON.stringify(writtenName(token))}`;
      refuseMetric(
        "invalid_expression",
        `"${source}" ${found} in a place that expects ${expected}. Correct the expression.`,
      );
    },
  });
}
