import { refuseStatement } from "../refusals/statement-refused.ts";
import { writtenName } from "../tokens/sql-token.ts";
import { readExpression } from "./expressions.ts";
import type { SelectEngine } from "./select-clauses.ts";
import { openText, type SqlReading } from "./sql-reading.ts";

/**
 * Checks the condition of a row filter: one expression over the given columns of one table, without a subquery.
 *
 * @throws StatementRefusedError
 */
export function checkCondition(sql: string, { grammar }: SelectEngine, columns: readonly string[]): void {
  const known = new Set(columns.map((name) => name.toLowerCase()));
  const { cursor, edits } = openText(sql, grammar);
  const reading: SqlReading = {
    cursor,
    grammar,
    expression: () => readExpression(reading),
    query: refuseSubquery,
    queryTail: refuseSubquery,
    column(parts, isStar) {
      const [first] = parts;
      const isKnown = first !== undefined && known.has(writtenName(first).toLowerCase());
      if (isKnown && !isStar && parts.length === 1) return;
      refuseStatement(
        "unknown_name",
        `The condition names ${parts.map(({ raw }) => raw).join(".")}, which is not a column of its table. Use only its columns.`,
      );
    },
  };
  // A comment could hide the SQL after the condition.
  if (edits.length > 0) refuseStatement("syntax", "The condition contains a comment. Remove it.");
  reading.expression();
  if (!cursor.isAtEnd) cursor.fail("the end of the condition");
}

function refuseSubquery(): never {
  return refuseStatement("not_a_read", "The condition contains a subquery. Name only columns of its table.");
}
