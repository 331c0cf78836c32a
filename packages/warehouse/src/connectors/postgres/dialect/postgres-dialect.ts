import type { SqlDialect } from "../../../port/dialect.ts";
import { checkPostgresCondition } from "./check-condition.ts";
import { checkPostgresStatement } from "./check-statement.ts";
import { quoteName, quoteTable, quoteText } from "./quote.ts";
import { selectSample } from "./select-sample.ts";

export const postgresDialect: SqlDialect = {
  id: "postgres",
  quoteIdentifier: quoteName,
  quoteTable,
  quoteText,
  fence: "OFFSET 0",
  digest: (column, key) =>
    `pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(${quoteText(key)} || (${column})::pg_catalog.text, 'UTF8')), 'hex')`,
  check: checkPostgresStatement,
  checkCondition: checkPostgresCondition,
  selectSample,
};
