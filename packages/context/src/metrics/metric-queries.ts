/** Answers queries over models: compiles, checks the keys in the data, and runs the statement as a caller's. */
import { ConfigError, formatPosition } from "@bridle/protocol";
import {
  type CompiledQuery,
  compileMetricQuery,
  type KeyViolation,
  type MetricColumn,
  type MetricQuery,
} from "@bridle/semantic";
import {
  type QueryResult,
  type StructuredValue,
  structureRows,
  type TableScope,
  type Warehouse,
} from "@bridle/warehouse";
import { findDialect } from "../facts/find-dialect.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import { AnswerCache, type AnswerParts } from "./answer-cache.ts";
import { type JoinCheckContext, KeyChecks } from "./key-checks.ts";
import { type MetricModels, modelSetFor } from "./metric-models.ts";
import type { MetricOutcome, MetricPlan, QueryContext } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";
import { marksOf, modelsIn } from "./models-in-use.ts";
import { StoredResults } from "./stored-results.ts";

/** Who asks. */
export interface MetricCaller {
  readonly isVisible: IsVisible;
  scopeOf(connection: string): TableScope;
}

export interface MetricRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** The most rows. Default: that of the connection. */
  readonly maxRows?: number | undefined;
  /** Compile only. Nothing is connected. Default: false. */
  readonly planOnly?: boolean | undefined;
  /** Compute it again, also if the data have not changed. Default: false. */
  readonly noCache?: boolean | undefined;
}

export interface MetricQueriesOptions {
  readonly models: MetricModels;
  readonly knowledge: Knowledge;
  openWarehouse(name: string, signal?: AbortSignal): Promise<Warehouse>;
  /** Earlier results. Default: those of this object. */
  readonly results?: StoredResults | undefined;
  /** Says which database and account a connection is. Default: only its name does. */
  readonly identityOf?: ((connection: string) => string) | undefined;
}

export class MetricQueries {
  readonly #options: MetricQueriesOptions;
  readonly #keys: KeyChecks;
  readonly #answers: AnswerCache;

  constructor(options: MetricQueriesOptions) {
    const { results = new StoredResults() } = options;
    this.#options = options;
    this.#keys = new KeyChecks(results);
    this.#answers = new AnswerCache(results);
  }

  /**
   * Answers a query, or says why it has no right answer.
   *
   * @throws ConfigError if a file of `context/models` is wrong or there is none; a BridleError of the warehouse.
   */
  async run(query: MetricQuery, caller: MetricCaller, options: MetricRunOptions = {}): Promise<MetricOutcome> {
    const models = this.usable();
    const connection = connectionOf(query, models, caller);
    const compiled = this.#compile(query, models, connection, caller);
    if (compiled.kind === "refused") return compiled;
    const context = { scope: caller.scopeOf(connection), signal: options.signal };
    if (options.planOnly) {
      const storedAt = this.#answers.storedAt(this.#keyOf(compiled, connection, context, options));
      return { kind: "planned", ...planOf(compiled, connection), storedAt };
    }
    const warehouse = await this.#options.openWarehouse(connection, options.signal);
    const seen = models.filter(({ table }) => caller.isVisible(table));
    const used = modelsIn(compiled, seen, warehouse);
    const marks = await marksOf(used, warehouse, options.signal);
    const joins = { ...this.#joinContext(models, connection, caller, context), noCache: options.noCache };
    const violations = await this.#keys.find(used, warehouse, (model) => marks.get(model), joins);
    const checked = violations.length === 0 ? compiled : this.#compile(query, models, connection, caller, violations);
    if (checked.kind === "refused") return checked;
    const key = this.#keyOf(checked, connection, context, options);
    const state = [...marks.values()].includes(undefined) ? undefined : JSON.stringify([...marks.values()]);
    const known = options.noCache ? undefined : this.#answers.get(key, state);
    const answer = known ?? (await runCompiled(checked, warehouse, context, options));
    if (typeof answer === "string") return { kind: "refused", refusal: { reason: "unsupported", message: answer } };
    if (known === undefined) this.#answers.set(key, state, answer);
    return { kind: "answered", ...planOf(checked, connection), ...answer, isCached: known !== undefined };
  }

  /** What was asked of which database, by whom, and what was known about it. */
  #keyOf(
    { sql, totals, columns }: CompiledQuery,
    connection: string,
    { scope }: QueryContext,
    { maxRows }: MetricRunOptions,
  ): string {
    const asked = [this.#identityOf(connection), sql, totals?.sql, columns, scope, maxRows];
    return JSON.stringify([...asked, this.#options.knowledge.rulesVersion()]);
  }

  /** Counts the keys of all models of a connection that the data contradict. */
  async findViolations(
    connection: string,
    caller: MetricCaller,
    signal?: AbortSignal,
  ): Promise<readonly KeyViolation[]> {
    const models = this.usable();
    const own = models.filter(({ table }) => table.connection === connection);
    const warehouse = await this.#options.openWarehouse(connection, signal);
    const marks = await marksOf(own, warehouse, signal);
    const context = { scope: caller.scopeOf(connection), signal };
    const joins = this.#joinContext(models, connection, caller, context);
    return this.#keys.find(own, warehouse, (model) => marks.get(model), joins);
  }

  #joinContext(
    models: readonly PlacedModel[],
    connection: string,
    { isVisible }: Pick<MetricCaller, "isVisible">,
    context: QueryContext,
  ): JoinCheckContext {
    return {
      ...{ ...context, set: modelSetFor(models, connection, isVisible), dialect: this.#dialectOf(connection) },
      identity: this.#identityOf(connection),
    };
  }

  /** Throws ConfigError if a file is wrong or there is none. */
  usable(): readonly PlacedModel[] {
    const { models, problems } = this.#options.models.read();
    const [first, ...others] = problems;
    if (first !== undefined) {
      const more = others.length > 0 ? ` ${others.length} more: run "bridle metrics validate".` : "";
      throw new ConfigError(`${formatPosition(first.position)}: ${first.message}${more}`, { field: "context/models" });
    }
    if (models.length === 0) {
      const message = "There are no models. Write one to context/models/NAME.yaml.";
      throw new ConfigError(message, { field: "context/models" });
    }
    return models;
  }

  #compile(
    query: MetricQuery,
    models: readonly PlacedModel[],
    connection: string,
    { isVisible }: MetricCaller,
    violations: readonly KeyViolation[] = [],
  ) {
    const set = modelSetFor(models, connection, isVisible, violations);
    return compileMetricQuery(set, query, this.#dialectOf(connection));
  }

  #identityOf(connection: string): string {
    return JSON.stringify([connection, this.#options.identityOf?.(connection)]);
  }

  #dialectOf(connection: string) {
    const facts = this.#options.knowledge.connections().find(({ name }) => name === connection);
    if (facts === undefined) throw new ConfigError(`The connection ${connection} has not been scanned.`, {});
    return facts.dialect;
  }
}

/** The connection of the first measure's model; if its name is unknown, that of the first model. */
function connectionOf(
  { measures }: MetricQuery,
  models: readonly PlacedModel[],
  { isVisible }: Pick<MetricCaller, "isVisible">,
): string {
  const visible = models.filter(({ table }) => isVisible(table));
  const [first] = Array.isArray(measures) ? measures : [];
  const name = typeof first === "string" ? first : first?.measure;
  const found = visible.find(({ model }) => name === model.name || name?.startsWith(`${model.name}.`));
  return (found ?? visible[0] ?? models[0])?.table.connection ?? "";
}

function planOf({ sql, explanation, assumptions, columns, totals }: CompiledQuery, connection: string): MetricPlan {
  return { connection, sql, explanation, assumptions, columns, ...(totals && { totalsSql: totals.sql }) };
}

/** Runs the statements. A sentence, if their numbers would be those of digests. */
async function runCompiled(
  { sql, columns, totals }: CompiledQuery,
  warehouse: Warehouse,
  { scope, signal }: QueryContext,
  { maxRows }: MetricRunOptions,
): Promise<AnswerParts | string> {
  const result = await warehouse.query(sql, { scope, signal, limits: { maxRows } });
  const sensitive = sensitiveIn(sql, result, warehouse);
  if (sensitive !== undefined) {
    return `The query needs the sensitive column ${sensitive}, whose values are replaced by digests. Leave it out.`;
  }
  const sums = totals && (await warehouse.query(totals.sql, { scope, signal }));
  const [total] = sums === undefined ? [] : toValues(sums, totals?.columns ?? []);
  const names = result.tables.map(({ schema, table }) => `${schema}.${table}`);
  const { truncated, filtered, durationMs } = result;
  return { rows: toValues(result, columns), totals: total, truncated, tables: names, filtered, durationMs };
}

function sensitiveIn(sql: string, { masked }: QueryResult, warehouse: Warehouse): string | undefined {
  const dialect = findDialect(warehouse);
  return masked.find((name) => sql.includes(dialect.quoteIdentifier(name.split(".").at(-1) ?? name)));
}

function toValues(result: QueryResult, columns: CompiledQuery["columns"]): readonly (readonly StructuredValue[])[] {
  return structureRows(result).rows.map((row) => row.map((value, index) => toValue(value, columns[index]?.type)));
}

/** Engines without booleans have bits, and PostgreSQL and MariaDB have decimals for sums of integers. */
function toValue(value: StructuredValue, type: MetricColumn["type"] | undefined): StructuredValue {
  if (type === "boolean" && (value === 0 || value === 1)) return value === 1;
  const isWhole = type === "integer" && typeof value === "string" && /^-?\d+$/.test(value);
  return isWhole && Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
