import { isBridleError } from "@bridle/protocol";
import type { EngineConnection } from "../port/connector.ts";
import type { SqlDialect } from "../port/dialect.ts";
import type { TableStructure } from "../port/structure.ts";
import { recogniseBySample } from "./recognise-by-sample.ts";
import type { SensitiveColumns } from "./sensitive-columns.ts";

/** Recognises the sensitive columns of each table once, from a few of its rows. */
export class TableSamples {
  readonly #engine: EngineConnection;
  readonly #dialect: SqlDialect;
  readonly #sensitive: SensitiveColumns;
  readonly #taken = new WeakMap<TableStructure, Promise<void>>();

  constructor(engine: EngineConnection, dialect: SqlDialect, sensitive: SensitiveColumns) {
    this.#engine = engine;
    this.#dialect = dialect;
    this.#sensitive = sensitive;
  }

  /** Samples a table. If the table cannot be read, does nothing: the statement that reads the table reports the error. */
  async take(table: TableStructure, signal: AbortSignal | undefined): Promise<void> {
    const taken = this.#taken.get(table) ?? this.#recognise(table, signal);
    this.#taken.set(table, taken);
    try {
      await taken;
    } catch (error) {
      this.#taken.delete(table); // another caller can sample the table later
      if (signal?.aborted || !isBridleError(error)) throw error;
    }
  }

  async #recognise(table: TableStructure, signal: AbortSignal | undefined): Promise<void> {
    const masked = this.#sensitive.maskedIn(table);
    const columns = table.columns.filter(({ name }) => {
      const column = { schema: table.schema, table: table.table, column: name };
      return !masked.includes(name) && this.#sensitive.marked(column) === undefined;
    });
    this.#sensitive.add(await recogniseBySample(this.#engine, this.#dialect, { table, columns }, signal));
  }
}
