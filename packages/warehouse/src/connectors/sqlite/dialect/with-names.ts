import { lowerAscii } from "../letters.ts";
import { type TokenCursor, writtenName } from "./cursor.ts";

/** The names of a WITH, in lower case. The first name is the next token. Each name comes before its columns or `AS (query)`. */
export function namesOfWith(cursor: TokenCursor): readonly string[] {
  const names: string[] = [];
  let ahead = 0;
  for (;;) {
    const name = cursor.peek(ahead);
    if (name === undefined) return names;
    names.push(lowerAscii(writtenName(name)));
    ahead = endOfDefinition(cursor, ahead + 1);
    if (!cursor.isAhead(ahead, ",")) return names;
    ahead++;
  }
}

/** The position after `(columns) AS MATERIALIZED (query)`. */
function endOfDefinition(cursor: TokenCursor, start: number): number {
  let depth = 0;
  for (let ahead = start; cursor.peek(ahead) !== undefined; ahead++) {
    if (cursor.isAhead(ahead, "(")) depth++;
    if (cursor.isAhead(ahead, ")")) depth--;
    const isEnd = depth === 0 && cursor.isAhead(ahead, ")") && !cursor.isAhead(ahead + 1, "AS");
    if (isEnd) return ahead + 1;
  }
  return start;
}
