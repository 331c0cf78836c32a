import type { SqlDialect } from "../../../port/dialect.ts";
import { checkPostgresCondition } from "./check-condition.ts";
import { checkStatement } from "./check-statement.ts";
import { quoteIdentifier, quoteTable, quoteText } from "./quote.ts";
import { selectSample } from "./select-sample.ts";

export const postgresDialect: SqlDialect = {
  id: "postgres",
  quoteIdentifier,
  quoteTable,
  quoteText,
  fence: "OFFSET 0",
  digest: (column, key) =>
    `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(${quoteText(key)} || (${column})::pg_catalog.text, 'UTF8')), 'hex')`,
  check: checkStatement,
  checkCondition: checkPostgresCondition,
  selectSample,
};
