import type { Connector } from "../port/connector.ts";
import { bigqueryConnector } from "./bigquery/bigquery-connector.ts";
import { clickhouseConnector } from "./clickhouse/clickhouse-connector.ts";
import { duckdbConnector } from "./duckdb/connector.ts";
import { mysqlConnector } from "./mysql/mysql-connector.ts";
import { postgresConnector } from "./postgres/postgres-connector.ts";
import { snowflakeConnector } from "./snowflake/snowflake-connector.ts";
import { sqliteConnector } from "./sqlite/sqlite-connector.ts";
import { sqlserverConnector } from "./sqlserver/sqlserver-connector.ts";

/** The database engines, in display order. */
export const connectors = [
  sqliteConnector,
  duckdbConnector,
  postgresConnector,
  mysqlConnector,
  sqlserverConnector,
  clickhouseConnector,
  bigqueryConnector,
  snowflakeConnector,
] as const satisfies readonly Connector[];
