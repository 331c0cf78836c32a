/** Prints models' expressions as SQL for other tools. */
import { mapExpression, type ParsedExpression, printExpression } from "@bridle/semantic/model-parts";

/** Words that engines reserve, in addition to those that expressions reserve. */
const reserved = new Set(
  `all and any as asc between by case cast check collate column constraint create cross current_date current_time
  current_timestamp current_user default delete desc distinct drop else end except exists false fetch for foreign from full
  grant group having if in inner insert intersect interval into is join lateral left like limit natural not null offset on or
  order outer over partition primary qualify range references right row rows select session_user set some table then to true
  union unique update user using values when where window with date time timestamp`.split(/\s+/),
);

/** Quotes names only if necessary, because quoted names are case-sensitive in some engines. */
export function printStandardSql(
  parsed: ParsedExpression,
  writeName: (path: readonly string[]) => string = (path) => path.map(quoteIfNeeded).join("."),
): string {
  const text = printExpression(withDoubleQuotients(parsed), writeName);
  return /^\(.*\)$/.test(text) && isOneGroup(text) ? text.slice(1, -1) : text;
}

function quoteIfNeeded(part: string): string {
  const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(part) && !reserved.has(part.toLowerCase());
  return isPlain ? part : `"${part.replaceAll('"', '""')}"`;
}

/**
 * Writes divisions as in models, where a quotient is a double, and division by zero is NULL. Engines truncate quotients of integers, or
 * fail on zero.
 */
function withDoubleQuotients(parsed: ParsedExpression): ParsedExpression {
  return mapExpression(parsed, (part) => {
    if (part.kind !== "binary" || part.operator !== "/") return undefined;
    const zero = { kind: "literal", type: "integer", value: "0" } as const;
    const under = {
      kind: "call",
      name: "nullif",
      args: [withDoubleQuotients(part.right), zero],
      isDistinct: false,
    } as const;
    return { ...part, left: { kind: "cast", operand: withDoubleQuotients(part.left), to: "double" }, right: under };
  });
}

/** Whether the first parenthesis is closed at the end. */
function isOneGroup(text: string): boolean {
  let depth = 0;
  let quote = "";
  for (const [index, character] of [...text].entries()) {
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === "(") depth += 1;
    else if (character === ")") depth -= 1;
    if (depth === 0) return index === [...text].length - 1;
  }
  return false;
}
