/** Checks SQL for engines that do not run in tests, with an independent parser and with the grammar that checks statements. */
import { StatementRefusedError } from "@bridle/warehouse";
import { connectors } from "@bridle/warehouse/definitions";
import { Dialect, parse } from "@polyglot-sql/sdk";
import type { MetricDialectId } from "../src/dialects/metric-dialect.ts";
import { shopTables } from "./shop-tables.ts";

const parsers: Readonly<Record<MetricDialectId, Dialect>> = {
  sqlite: Dialect.SQLite,
  duckdb: Dialect.DuckDB,
  postgres: Dialect.PostgreSQL,
  mysql: Dialect.MySQL,
  clickhouse: Dialect.ClickHouse,
  sqlserver: Dialect.TSQL,
  snowflake: Dialect.Snowflake,
  bigquery: Dialect.BigQuery,
};

/** Returns the error that an independent parser reports for the statement, or undefined. */
export function parserComplaint(id: MetricDialectId, sql: string): string | undefined {
  const { success, error, ast } = parse(sql, parsers[id]);
  if (!success) return error ?? "It does not parse.";
  return Array.isArray(ast) && ast.length !== 1 ? `It parses as ${ast.length} statements.` : undefined;
}

/** The functions that the statements call. DuckDB's catalog declares that these functions only read; other engines have their own lists. */
const duckdbFunctions = new Set(
  (
    "+ - * / % || ~~ !~~ abs ceil coalesce concat count count_star date_diff date_part date_trunc floor length lower " +
    "max median min nullif rank replace round row_number strpos sum timezone trim upper"
  ).split(" "),
);

const shopNames = new Set(["things", ...shopTables.map(({ name }) => name)]);

function resolveTable(name: readonly string[]) {
  const table = name.at(-1) ?? "";
  if (!shopNames.has(table)) throw new StatementRefusedError(`There is no table ${table}.`, { reason: "unknown_name" });
  return { schema: "shop", table };
}

/** Returns the error that the statement grammar reports, or undefined. */
export async function grammarComplaint(id: MetricDialectId, sql: string): Promise<string | undefined> {
  const found = connectors.find((connector) => connector.dialect.id === id);
  if (!found) return `There is no connector for ${id}.`;
  try {
    await found.dialect.check(sql, {
      resolve: resolveTable,
      safeFunctions: id === "duckdb" ? duckdbFunctions : undefined,
    });
  } catch (error) {
    return String(error);
  }
  return undefined;
}
