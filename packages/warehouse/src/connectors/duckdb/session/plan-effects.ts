/**
 * Refuses functions that a SELECT may call and that change more than the database. DuckDB 1.5.6 runs them even with locked settings;
 * `enable_logging`, for example, can end the process. A view or a macro may hide the call, so the check searches the statement's plan.
 */
import { InvalidRequestError } from "@bridle/protocol";
import type { DuckDBConnection } from "@duckdb/node-api";

/** The functions' names in DuckDB's plans. */
const effects = new Set([
  "CHECKPOINT",
  "DISABLE_LOGGING",
  "DISABLE_PEG_PARSER",
  "DISABLE_PROFILING",
  "ENABLE_LOGGING",
  "ENABLE_PEG_PARSER",
  "ENABLE_PROFILING",
  "FORCE_CHECKPOINT",
  "JSON_EXECUTE_SERIALIZED_SQL",
  "TRUNCATE_DUCKDB_LOGS",
]);

/**
 * Matches words, at least one of which occurs in every statement or definition that calls these functions, or a function that runs a string
 * as SQL.
 */
const words = /logging|duckdb_logs|profiling|peg_parser|checkpoint|query|serialized/i;

export class PlanGuard {
  /** The names of the database's macros, in lower case. DuckDB calls a macro instead of its own function with the same name. */
  readonly macros: ReadonlySet<string>;
  readonly #checkAll: boolean;

  private constructor(macros: ReadonlySet<string>, checkAll: boolean) {
    this.macros = macros;
    this.#checkAll = checkAll;
  }

  /** Reads the views and macros of the database. DuckDB needs about 30 ms to list the functions. */
  static async create(connection: DuckDBConnection): Promise<PlanGuard> {
    const result = await connection.runAndReadAll(
      `SELECT NULL, sql FROM duckdb_views() WHERE NOT internal
       UNION ALL SELECT lower(function_name), macro_definition FROM duckdb_functions() WHERE NOT internal`,
    );
    const rows = result.getRows();
    const macros = rows.flatMap(([name]) => (typeof name === "string" ? [name] : []));
    return new PlanGuard(
      new Set(macros),
      rows.some(([, definition]) => words.test(String(definition))),
    );
  }

  /** @throws InvalidRequestError if the plan of the statement contains such a function, before anything runs. */
  async check(connection: DuckDBConnection, sql: string): Promise<void> {
    if (!this.#checkAll && !words.test(sql)) return;
    const result = await connection.runAndReadAll(`EXPLAIN (FORMAT json) ${sql}`);
    for (const [, plan] of result.getRows()) {
      for (const [, name = ""] of String(plan).matchAll(/"name": "([A-Z_]+)\s*"/g))
        if (effects.has(name))
          throw new InvalidRequestError(`DuckDB: the statement calls ${name.toLowerCase()}, which has effects.`);
    }
  }
}
