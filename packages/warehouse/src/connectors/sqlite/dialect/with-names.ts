import { lowerAscii, type TokenCursor, writtenName } from "@bridle/sql";

/**
 * Returns the names that a WITH defines, in lower case. The next token is the first name. Each name comes before its columns or
 * `AS (query)`.
 */
export function namesOfWith(cursor: TokenCursor): readonly string[] {
  const names: string[] = [];
  let ahead = 0;
  for (;;) {
    const name = cursor.peek(ahead);
    if (name.kind === "end") return names;
    names.push(lowerAscii(writtenName(name)));
    ahead = endOfDefinition(cursor, ahead + 1);
    if (!cursor.at(",", ahead)) return names;
    ahead++;
  }
}

/** Returns the position after `(columns) AS MATERIALIZED (query)`. */
function endOfDefinition(cursor: TokenCursor, start: number): number {
  let depth = 0;
  for (let ahead = start; cursor.peek(ahead).kind !== "end"; ahead++) {
    if (cursor.at("(", ahead)) depth++;
    if (cursor.at(")", ahead)) depth--;
    const isEnd = depth === 0 && cursor.at(")", ahead) && !cursor.at("as", ahead + 1);
    if (isEnd) return ahead + 1;
  }
  return start;
}
