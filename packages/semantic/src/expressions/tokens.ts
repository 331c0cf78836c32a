import { refuseMetric } from "../refusals/metric-refusal.ts";

export interface ExpressionToken {
  /** `word` is a name or keyword without quotes, `name` is one in quotes, `end` follows the last. */
  readonly kind: "word" | "name" | "text" | "number" | "symbol" | "end";
  /** Without quotes. Words keep their case. */
  readonly text: string;
}

const forms: readonly (readonly [ExpressionToken["kind"], RegExp])[] = [
  ["word", /[\p{L}_][\p{L}\p{N}_$]*/uy],
  ["name", /"(?:[^"]|"")+"|`[^`]+`/y],
  ["text", /'(?:[^']|'')*'/y],
  ["number", /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}_])/uy],
  ["symbol", /<>|!=|<=|>=|\|\||::|[-+*/%(),.<>={}]/y],
];

/**
 * Splits an expression into tokens. Comments, semicolons, parameters, dollar quotes and control characters are not tokens, so they are
 * refused outside of texts. A backslash within a text is refused too, because engines interpret it differently.
 */
export function readTokens(source: string): readonly ExpressionToken[] {
  const tokens: ExpressionToken[] = [];
  let at = 0;
  while (at < source.length) {
    const space = /\s+/y;
    space.lastIndex = at;
    if (space.test(source)) {
      at = space.lastIndex;
      continue;
    }
    const token = readToken(source, at);
    tokens.push(token.token);
    at = token.end;
  }
  return [...tokens, { kind: "end", text: "" }];
}

function readToken(source: string, at: number): { token: ExpressionToken; end: number } {
  const pair = source.slice(at, at + 2);
  if (pair === "--" || pair === "/*") {
    return refuseMetric("invalid_expression", `"${source}" contains a comment. Remove it.`);
  }
  for (const [kind, form] of forms) {
    form.lastIndex = at;
    const text = form.exec(source)?.[0];
    if (text !== undefined) return { token: { kind, text: unquote(kind, text, source) }, end: at + text.length };
  }
  const found = source[at] === "'" ? "a text that does not end" : JSON.stringify(source[at]);
  return refuseMetric("invalid_expression", `"${source}" contains ${found}, which no expression may. Correct it.`);
}

function unquote(kind: ExpressionToken["kind"], text: string, source: string): string {
  if (kind !== "text" && kind !== "name") return text;
  const quote = text.charAt(0);
  const inner = text.slice(1, -1).replaceAll(quote + quote, quote);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are refused
  if (/[\u0000-\u001f\u007f]/.test(inner) || inner.includes("\\")) {
    refuseMetric("invalid_expression", `"${source}" quotes a backslash or a control character. Compare without it.`);
  }
  return inner;
}
