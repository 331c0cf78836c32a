import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { inTransaction } from "@bridle/core";
import { z } from "zod";
import { ingestState } from "./ingest-file.ts";

type Parameters = Readonly<Record<string, SQLInputValue>>;

/** The open ingest database. Rows are parsed, and every error has a remedy. */
export class StoreDatabase {
  readonly file: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** Like every method, throws IngestStoreError. */
  constructor(file: string) {
    this.file = file;
    this.#database = ingestState.open(file);
  }

  /** Returns the first row; undefined if the result is empty. */
  get<T>(row: z.ZodType<T>, sql: string, parameters: Parameters = {}): T | undefined {
    return this.#explain(() => {
      const found = this.#prepare(sql).get(parameters);
      return found === undefined ? undefined : row.parse(found);
    });
  }

  all<T>(row: z.ZodType<T>, sql: string, parameters: Parameters = {}): readonly T[] {
    return this.#explain(() =>
      this.#prepare(sql)
        .all(parameters)
        .map((found) => row.parse(found)),
    );
  }

  /** Runs a statement. Returns the number of changed rows, and the id of the last added row. */
  run(sql: string, parameters: Parameters = {}): { readonly changes: number; readonly lastId: number } {
    return this.#explain(() => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(parameters);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    });
  }

  /** Runs SQL statements without parameters. */
  execute(sql: string): void {
    this.#explain(() => this.#database.exec(sql));
  }

  transaction<T>(work: () => T): T {
    return this.#explain(() => (this.#database.isTransaction ? work() : inTransaction(this.#database, work)));
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  #explain<T>(work: () => T): T {
    return ingestState.explain(this.file, work);
  }
}

/** Returns the schema of a column with JSON. */
export function jsonColumn<T>(schema: z.ZodType<T>) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

/** The schema of a text column that may be NULL. */
export const nullableText = z
  .string()
  .nullable()
  .transform((text) => text ?? undefined);
