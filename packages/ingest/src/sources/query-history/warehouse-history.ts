/** Reads the query history that a warehouse keeps. All SQL statements here are Bridle's own, and read-only. */
import { ConfigError, InvalidRequestError } from "@bridle/protocol";
import type { DialectId, Warehouse, WarehouseRow, WarehouseValue } from "@bridle/warehouse";
import type { LoggedQuery } from "./query-templates.ts";

export interface HistoryOptions {
  readonly days: number;
  readonly minRuns: number;
  readonly region: string;
}

interface History {
  /** The requirement that an error's remedy names. */
  readonly needs: string;
  statement(options: HistoryOptions): string;
}

const maxRows = 20_000;

/**
 * The statement for each engine. It returns the statement that ran, its number of runs, the number of users, and their roles separated by
 * commas.
 */
const histories: Readonly<Partial<Record<DialectId, History>>> = {
  postgres: {
    needs: "Install the extension pg_stat_statements, and grant the account the role pg_read_all_stats.",
    statement: ({ minRuns }) => `
      SELECT s.query, sum(s.calls)::bigint, count(DISTINCT s.userid)::bigint,
        (SELECT string_agg(DISTINCT g.rolname, ',') FROM pg_catalog.pg_auth_members m JOIN pg_catalog.pg_roles g ON g.oid = m.roleid
          WHERE NOT g.rolcanlogin AND m.member = ANY (array_agg(s.userid)))
      FROM pg_stat_statements s JOIN pg_catalog.pg_database d ON d.oid = s.dbid
      WHERE d.datname = pg_catalog.current_database() GROUP BY s.query HAVING sum(s.calls) >= ${minRuns}
      ORDER BY 2 DESC LIMIT ${maxRows}`,
  },
  snowflake: {
    needs: "Grant the role of the connection IMPORTED PRIVILEGES on the database SNOWFLAKE.",
    statement: ({ days, minRuns }) => `
      SELECT ANY_VALUE(QUERY_TEXT), COUNT(*), COUNT(DISTINCT USER_NAME), LISTAGG(DISTINCT ROLE_NAME, ',')
      FROM SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY
      WHERE START_TIME >= DATEADD(day, -${days}, CURRENT_TIMESTAMP()) AND QUERY_TYPE = 'SELECT'
        AND EXECUTION_STATUS = 'SUCCESS' AND DATABASE_NAME = CURRENT_DATABASE()
      GROUP BY QUERY_PARAMETERIZED_HASH HAVING COUNT(*) >= ${minRuns} ORDER BY 2 DESC LIMIT ${maxRows}`,
  },
  bigquery: {
    needs: "Grant the account the role roles/bigquery.resourceViewer, and set region of the source.",
    statement: ({ days, minRuns, region }) => `
      SELECT ANY_VALUE(query), COUNT(*), COUNT(DISTINCT user_email), CAST(NULL AS STRING)
      FROM \`region-${region}\`.INFORMATION_SCHEMA.JOBS_BY_PROJECT
      WHERE creation_time >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${days} DAY) AND job_type = 'QUERY'
        AND statement_type = 'SELECT' AND state = 'DONE' AND error_result IS NULL
      GROUP BY query_info.query_hashes.normalized_literals HAVING COUNT(*) >= ${minRuns} ORDER BY 2 DESC LIMIT ${maxRows}`,
  },
};

const limits = { maxRows, maxBytes: 200_000_000, timeoutMs: 120_000 };

/** Reads the history. Throws ConfigError if the engine keeps no history, or the account may not read it. */
export async function* readWarehouseHistory(
  warehouse: Warehouse,
  options: HistoryOptions,
  signal: AbortSignal,
): AsyncIterable<LoggedQuery> {
  const history = histories[warehouse.dialect];
  if (history === undefined) {
    const known = Object.keys(histories).join(", ");
    throw new ConfigError(
      `The history of ${warehouse.name} cannot be read from a ${warehouse.dialect} database, only from: ${known}. Name a log with path.`,
    );
  }
  try {
    for await (const rows of warehouse.engine.stream(history.statement(options), { ...limits, signal }))
      for (const row of rows) yield* toQuery(row);
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error;
    throw new ConfigError(
      `The history of ${warehouse.name} cannot be read: ${error.message.replace(/\.?$/, ".")} ${history.needs}`,
      { cause: error },
    );
  }
}

function* toQuery([sql, runs, users, roles]: WarehouseRow): Iterable<LoggedQuery> {
  if (typeof sql !== "string") return;
  yield {
    sql,
    runs: toNumber(runs),
    userCount: toNumber(users),
    roles: typeof roles === "string" ? roles.split(",").filter((role) => role !== "") : [],
  };
}

function toNumber(value: WarehouseValue | undefined): number {
  return typeof value === "bigint" || typeof value === "number" || typeof value === "string" ? Number(value) : 1;
}
