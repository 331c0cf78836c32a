import type { FieldDef } from "pg";
import type { ResultColumn } from "../../../port/values.ts";
import type { StatementAllowance } from "../../../sessions/statement-allowance.ts";
import { type KnownType, TypeCatalog, typeQuery } from "../values/type-catalog.ts";
import { refuseUnsafeCalls } from "./call-check.ts";
import { castQuery, findSafeCalls, functionQuery, operatorQuery, type SafeCalls } from "./safe-calls.ts";

/** The number of queries about functions, operators and casts. */
const queriesOfCalls = 3;

/** Runs a fixed statement of this package, and returns its rows. */
export type QueryCatalog = (sql: string, values?: readonly unknown[]) => Promise<readonly unknown[]>;

/** Reads, once each, the facts about a database that statements need: its types and functions. */
export class StatementSession {
  readonly searchPath: string;
  readonly #query: QueryCatalog;
  readonly #allowed: readonly string[];
  #types: TypeCatalog;
  #calls: Promise<SafeCalls> | undefined;

  private constructor(query: QueryCatalog, searchPath: string, allowed: readonly string[], types: TypeCatalog) {
    this.searchPath = searchPath;
    this.#query = query;
    this.#allowed = allowed;
    this.#types = types;
  }

  static async open(query: QueryCatalog, searchPath: string, allowed: readonly string[]): Promise<StatementSession> {
    return new StatementSession(query, searchPath, allowed, new TypeCatalog(await query(typeQuery)));
  }

  get types(): TypeCatalog {
    return this.#types;
  }

  /**
   * Returns the types of a result's columns. A type that was created after the connection was opened is read as text until `reloadTypes`.
   */
  typesOf(fields: readonly FieldDef[]): readonly KnownType[] {
    return fields.map(({ dataTypeID }) => this.#types.find(dataTypeID));
  }

  async reloadTypes(query = this.#query): Promise<TypeCatalog> {
    this.#types = new TypeCatalog(await query(typeQuery));
    return this.#types;
  }

  describeColumns(fields: readonly FieldDef[]): readonly ResultColumn[] {
    return fields.map(({ name, dataTypeID, dataTypeModifier }) => ({
      name,
      type: this.#types.find(dataTypeID).type,
      nativeType: this.#types.format(dataTypeID, dataTypeModifier),
    }));
  }

  /**
   * Refuses a statement if it calls a function that may have an effect. The first call reads the functions from the catalog, if the
   * allowance permits these queries.
   */
  async refuseUnsafeCalls(sql: string, allowance: StatementAllowance): Promise<void> {
    if (this.#calls === undefined) allowance.take(queriesOfCalls);
    refuseUnsafeCalls(sql, (await this.readSafeCalls()).unsafe);
  }

  readSafeCalls(): Promise<SafeCalls> {
    this.#calls ??= this.#readCalls().catch((error: unknown) => {
      this.#calls = undefined;
      throw error;
    });
    return this.#calls;
  }

  async #readCalls(): Promise<SafeCalls> {
    const functions = await this.#query(functionQuery);
    const operators = await this.#query(operatorQuery);
    return findSafeCalls({ functions, operators, casts: await this.#query(castQuery) }, this.#allowed);
  }
}
