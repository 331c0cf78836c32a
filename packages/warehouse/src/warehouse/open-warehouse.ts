import { randomBytes } from "node:crypto";
import { InvalidRequestError } from "@bridle/protocol";
import { StatementRefusedError } from "@bridle/sql";
import type { CatalogOptions, EngineConnection, SafetyFinding, ServerInfo } from "../port/connector.ts";
import type { DialectId, SqlDialect } from "../port/dialect.ts";
import type { StatementLimits } from "../port/limits.ts";
import type { TableName, TableProblem, TableStructure, WarehouseStructure } from "../port/structure.ts";
import type { CommonSettings } from "../settings/common-keys.ts";
import { parseConnection } from "../settings/connection-schema.ts";
import { findUnusedPatterns, hasPatterns } from "../settings/find-unused-patterns.ts";
import { buildRelation } from "./build-relation.ts";
import { CatalogReader } from "./catalog-reader.ts";
import { checkRowFilters } from "./check-row-filters.ts";
import { limitStructure } from "./limit-structure.ts";
import type { PlannedStatement } from "./planned-statement.ts";
import { readRows } from "./read-rows.ts";
import { TableResolver } from "./resolve-tables.ts";
import { SafeFunctions } from "./safe-functions.ts";
import { isLimiting, ScopePatterns } from "./scope.ts";
import { type ColumnName, SensitiveColumns } from "./sensitive-columns.ts";
import { shownName } from "./shown-name.ts";
import { explainEngineError } from "./statement-errors.ts";
import { limitsOf, lowestLimits } from "./statement-limits.ts";
import { TableRules } from "./table-rules.ts";
import { TableSamples } from "./table-samples.ts";
import type { QueryOptions, QueryResult, TableScope, Warehouse } from "./warehouse.ts";
import type { OpenWarehouseOptions } from "./warehouse-options.ts";

/**
 * Opens a connection with its rules. Checks the row filters first, so that no statement runs without them.
 *
 * @throws ConfigError for wrong settings or a missing driver, AuthenticationError, NetworkError, TimeoutError
 *
 * @example const warehouse = await openWarehouse({ name: "shop", connector, config: { type: "sqlite", file: "shop.db" }, context }); const
 * { rows } = await warehouse.query("SELECT count(*) FROM orders"); await warehouse.close();
 */
export async function openWarehouse(options: OpenWarehouseOptions): Promise<Warehouse> {
  const { name, connector, context } = options;
  const config = parseConnection(name, connector, options.config);
  try {
    const engine = await connector.connect(config, context);
    const warehouse = new OpenWarehouse(name, engine, connector.dialect, config, options.cleanError);
    try {
      await warehouse.checkFilters(context.signal);
    } catch (error) {
      await warehouse.close();
      throw error;
    }
    return warehouse;
  } catch (error) {
    options.cleanError?.(error);
    throw error;
  }
}

/** If a statement contains an unknown name, a structure older than this many milliseconds is read again, because the table may be new. */
const oldestStructureMs = 10_000;

class OpenWarehouse implements Warehouse {
  readonly name: string;
  readonly engine: EngineConnection;
  readonly #dialect: SqlDialect;
  readonly #settings: CommonSettings;
  readonly #rules: TableRules;
  readonly #sensitive: SensitiveColumns;
  readonly #limits: StatementLimits;
  readonly #catalog: CatalogReader;
  readonly #samples: TableSamples;
  readonly #cleanError: OpenWarehouseOptions["cleanError"];
  /** The key for the digests. No result or message contains the key. */
  readonly #key = randomBytes(24).toString("hex");
  readonly #safeFunctions: SafeFunctions;

  constructor(
    name: string,
    engine: EngineConnection,
    dialect: SqlDialect,
    settings: CommonSettings,
    cleanError: OpenWarehouseOptions["cleanError"],
  ) {
    this.name = name;
    this.engine = engine;
    this.#dialect = dialect;
    this.#settings = settings;
    this.#rules = new TableRules(settings);
    this.#sensitive = new SensitiveColumns(settings);
    this.#limits = limitsOf(settings);
    this.#catalog = new CatalogReader(engine, this.#rules.schemas);
    this.#samples = new TableSamples(engine, dialect, this.#sensitive);
    this.#safeFunctions = new SafeFunctions(engine);
    this.#cleanError = cleanError;
  }

  get dialect(): DialectId {
    return this.#dialect.id;
  }

  get server(): ServerInfo {
    return this.engine.server;
  }

  get timeLimitMs(): number | undefined {
    const { seconds } = this.#settings.limits ?? {};
    return seconds === undefined ? undefined : seconds * 1000;
  }

  /** Throws ConfigError if a row filter cannot be applied. */
  async checkFilters(signal: AbortSignal | undefined): Promise<void> {
    if (this.#rules.filters.length === 0) return;
    await checkRowFilters(this.name, this.#rules.filters, await this.#catalog.load({ signal }), this.#dialect);
  }

  async readStructure({
    scope,
    ...options
  }: Pick<QueryOptions, "scope"> & CatalogOptions = {}): Promise<WarehouseStructure> {
    const { structure } = await this.#cleaning(this.#catalog.reload(options));
    const caller = scope && new ScopePatterns(scope);
    const isVisible = (table: TableStructure | TableProblem) => this.#rules.isInScope(table, caller);
    // Includes problems of failing views only if the caller has no scope, and so may be the user who wrote the settings. The messages may
    // name tables that a caller with a scope may not see.
    const isNamed =
      caller === undefined ? ({ schema, table }: TableName) => this.isInScope({ schema, table }) : isVisible;
    return limitStructure(structure, isVisible, isNamed);
  }

  async query(statement: string, options: QueryOptions = {}): Promise<QueryResult> {
    const started = performance.now();
    const result = await this.#cleaning(this.#checkAndRun(statement, options));
    return { ...result, durationMs: performance.now() - started };
  }

  /**
   * Checks and runs a statement. If the statement reads tables that no statement has read before, samples their values and checks the
   * statement again with the recognised columns.
   */
  async #checkAndRun(statement: string, options: QueryOptions): Promise<Omit<QueryResult, "durationMs">> {
    const { tables } = await this.#checkWithNewTables(statement, options);
    await Promise.all(tables.map((table) => this.#samples.take(table, options.signal)));
    return this.#run(statement, await this.#check(statement, options), options);
  }

  async #checkWithNewTables(statement: string, options: QueryOptions): Promise<PlannedStatement> {
    try {
      return await this.#check(statement, options);
    } catch (error) {
      const isUnknown = error instanceof StatementRefusedError && error.reason === "unknown_name";
      if (!isUnknown || this.#catalog.age < oldestStructureMs) throw error;
      await this.#catalog.reload({ signal: options.signal });
      return this.#check(statement, options);
    }
  }

  async #check(statement: string, { scope, signal }: QueryOptions): Promise<PlannedStatement> {
    const caller = scope && new ScopePatterns(scope);
    const resolver = new TableResolver({
      catalog: await this.#catalog.load({ signal }),
      connection: this.name,
      safeFunctions: await this.#safeFunctions.read(),
      isLimited: this.#rules.isLimited || isLimiting(scope),
      isVisible: (table) => this.#rules.isInScope(table, caller),
      relationOf: (table) => this.#relation(table),
    });
    const sql = await this.#dialect.check(statement, resolver);
    return { sql, tables: resolver.tables };
  }

  async #run(
    statement: string,
    { sql, tables }: PlannedStatement,
    { scope, limits, signal }: QueryOptions,
  ): Promise<Omit<QueryResult, "durationMs">> {
    const masked = this.#sensitive.maskedColumns(tables);
    const filtered = this.#rules.filteredTables(tables);
    const isSearched = !tables.some((table) => this.#sensitive.hasExceptions(table));
    try {
      const stream = this.engine.stream(sql, { ...lowestLimits(this.#limits, limits), signal });
      const read = await readRows(stream, { key: this.#key, isSearched });
      return { ...read, tables: tables.map(({ schema, table }) => ({ schema, table })), masked, filtered };
    } catch (error) {
      if (!(error instanceof InvalidRequestError)) throw error;
      const isGuarded = masked.length > 0 || this.#rules.isLimited || isLimiting(scope);
      throw explainEngineError(error, { statement, tables, masked, key: this.#key, isGuarded, isSearched });
    }
  }

  isInScope(table: TableName, scope?: TableScope): boolean {
    const known = this.#catalog.known?.get(table) ?? table;
    return this.#rules.isInScope(known, scope && new ScopePatterns(scope));
  }

  relationOf(name: TableName): string {
    const condition = this.#rules.filterOf(name);
    if (condition === undefined) return this.#dialect.quoteTable(name);
    const table = this.#catalog.known?.get(name);
    if (table === undefined)
      throw new InvalidRequestError(`There is no table ${shownName([name.schema, name.table])}.`);
    return buildRelation(this.#dialect, table, { masked: [], key: "", condition }) ?? this.#dialect.quoteTable(name);
  }

  filterOf(table: TableName): string | undefined {
    return this.#rules.filterOf(table);
  }

  markedSensitive(column: ColumnName): boolean | undefined {
    return this.#sensitive.marked(column);
  }

  addSensitive(columns: readonly ColumnName[]): void {
    this.#sensitive.add(columns);
  }

  async findUnusedPatterns(signal?: AbortSignal): Promise<readonly string[]> {
    if (!hasPatterns(this.#settings)) return [];
    const { structure } = await this.#cleaning(this.#catalog.load({ signal }));
    return findUnusedPatterns(this.#settings, structure);
  }

  async findLeftOutViews(signal?: AbortSignal): Promise<readonly TableName[]> {
    const { structure } = await this.#cleaning(this.#catalog.load({ signal }));
    const views = structure.tables.filter((table) => this.#rules.isLeftOut(table));
    return views.map(({ schema, table }) => ({ schema, table }));
  }

  inspectSafety(): Promise<readonly SafetyFinding[]> {
    return this.#cleaning(this.engine.inspectSafety());
  }

  close(): Promise<void> {
    return this.engine.close();
  }

  #relation(table: TableStructure): string | undefined {
    const condition = this.#rules.filterOf(table);
    return buildRelation(this.#dialect, table, { masked: this.#sensitive.maskedIn(table), key: this.#key, condition });
  }

  /** Awaits a promise. If it rejects, removes credentials that the settings contain from the error. */
  async #cleaning<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise;
    } catch (error) {
      this.#cleanError?.(error);
      throw error;
    }
  }
}
