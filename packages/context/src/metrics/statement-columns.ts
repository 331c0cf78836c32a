import { ConfigError, isBridleError } from "@bridle/protocol";
import type { TypedExpression } from "@bridle/semantic";
import type { QueryResult, Warehouse } from "@bridle/warehouse";
import { z } from "zod";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { QueryContext } from "./metric-query-types.ts";
import { hasWord, type ModelColumns, type PlacedModel, typesOf } from "./model-table.ts";
import type { StoredResults } from "./results/stored-results.ts";

const columnSchema = z.object({ type: z.custom<TypedExpression["type"]>(), scale: z.number().optional() });
const columnsSchema = z.record(z.string(), columnSchema);

export interface StatementColumnsOptions {
  readonly results: StoredResults;
  readonly knowledge: Knowledge;
  readonly identityOf?: ((connection: string) => string) | undefined;
}

/**
 * Finds the columns of models that are based on a statement. Runs each statement once by itself, which proves that its text is one
 * complete, read-only statement within the connection's scope.
 */
export class StatementColumns {
  readonly #options: StatementColumnsOptions;
  readonly #known = new Map<string, ModelColumns>();

  constructor(options: StatementColumnsOptions) {
    this.#options = options;
  }

  /** A number that differs after each statement that has run. */
  get version(): number {
    return this.#known.size;
  }

  /** Returns undefined if the statement has not run. */
  get(connection: string, sql: string): ModelColumns | undefined {
    const key = this.#keyOf(connection, sql);
    return this.#known.get(key) ?? columnsSchema.safeParse(this.#options.results.get(key, "ran")?.value).data;
  }

  /** Runs the statement, and stops after its first row. Rejects with a ConfigError if a model cannot be based on the statement. */
  async run({ model, connection }: PlacedModel, warehouse: Warehouse, { scope, signal }: QueryContext): Promise<void> {
    const { name, sql = "" } = model;
    const result = await this.#firstRow(name, sql, warehouse, { scope, signal });
    refuseColumns(name, sql, result);
    const columns = typesOf(result.columns);
    const key = this.#keyOf(connection, sql);
    this.#known.set(key, columns);
    this.#options.results.set(key, "ran", columns);
  }

  async #firstRow(name: string, sql: string, warehouse: Warehouse, context: QueryContext): Promise<QueryResult> {
    try {
      return await warehouse.query(sql, { ...context, limits: { maxRows: 1 } });
    } catch (error) {
      if (!isBridleError(error) || error.code !== "invalid_request") throw error;
      throw new ConfigError(`The sql of the model ${name} cannot be run: ${error.message}`, {
        field: name,
        cause: error,
      });
    }
  }

  #keyOf(connection: string, sql: string): string {
    const { identityOf, knowledge } = this.#options;
    return JSON.stringify(["columns", connection, identityOf?.(connection), sql, knowledge.rulesVersion()]);
  }
}

function refuseColumns(name: string, sql: string, { columns, masked }: QueryResult): void {
  const twice = columns.find((column, at) => columns.findIndex((each) => each.name === column.name) !== at);
  const refuse = (why: string) => new ConfigError(`The sql of the model ${name} ${why}`, { field: name });
  if (twice !== undefined) throw refuse(`has two columns ${twice.name}. Name one of them differently with AS.`);
  const sensitive = masked.find((column) => hasWord(sql, column.split(".").at(-1) ?? column));
  if (sensitive !== undefined)
    throw refuse(`names the sensitive column ${sensitive}, but its values are replaced by digests. Leave it out.`);
}
