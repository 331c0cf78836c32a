import type { SqlDialect, StatementContext } from "../../../port/dialect.ts";
import { quoteDuckDbName, quoteLiteral } from "../session/quote.ts";
import { checkDuckDbCondition } from "./check-condition.ts";
import { parseSelect } from "./parser.ts";
import { quoteFullName, replaceTables } from "./replace-tables.ts";
import { selectDuckDbSample } from "./select-sample.ts";
import { verifyReplacement } from "./verify-replacement.ts";
import { StatementWalker } from "./walk-statement.ts";

/** The number of hexadecimal digits of a digest: 128 bits. */
const digestLength = 32;

export const duckdbDialect: SqlDialect = {
  id: "duckdb",
  fence: "OFFSET 0",
  quoteIdentifier: quoteDuckDbName,
  quoteTable: quoteFullName,
  quoteText: quoteLiteral,
  digest: (column, key) =>
    `left(sha256(${quoteLiteral(key)} || sha256(${quoteLiteral(key)} || ${column}::VARCHAR)), ${digestLength})`,
  check: checkDuckDbStatement,
  checkCondition: checkDuckDbCondition,
  selectSample: selectDuckDbSample,
};

async function checkDuckDbStatement(statement: string, context: StatementContext): Promise<string> {
  const query = await parseSelect(statement);
  const parts = new StatementWalker(context.safeFunctions).walk(query);
  const replaced = replaceTables(statement, parts, context);
  await verifyReplacement(query, replaced);
  return replaced.sql;
}
