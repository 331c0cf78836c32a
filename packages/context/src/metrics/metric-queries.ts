/** Answers queries over models: compiles, checks the keys in the data, and runs the statement as a caller's. */
import { ConfigError } from "@bridle/protocol";
import {
  type CompiledQuery,
  compileMetricQuery,
  type KeyViolation,
  type MetricColumn,
  type MetricQuery,
  type MetricRefusal,
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
import { exactnessRefusal } from "./exactness-refusal.ts";
import { type JoinCheckContext, KeyChecks } from "./key-checks.ts";
import { assumptionsOf, checkNamed, checkRefused, throwFirst } from "./left-out-models.ts";
import { type MetricModels, modelSetFor } from "./metric-models.ts";
import type { AnsweredMetrics, MetricOutcome, MetricPlan, QueryContext } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";
import { marksOf, modelsIn } from "./models-in-use.ts";
import { ResultCache } from "./result-cache.ts";

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
}

type AnswerParts = Pick<AnsweredMetrics, "rows" | "totals" | "truncated" | "tables" | "filtered" | "durationMs">;

export class MetricQueries {
  readonly #models: MetricModels;
  readonly #knowledge: Knowledge;
  readonly #open: (name: string, signal?: AbortSignal) => Promise<Warehouse>;
  readonly #keys = new KeyChecks();
  readonly #results = new ResultCache<AnswerParts>();

  constructor(
    models: MetricModels,
    knowledge: Knowledge,
    open: (name: string, signal?: AbortSignal) => Promise<Warehouse>,
  ) {
    this.#models = models;
    this.#knowledge = knowledge;
    this.#open = open;
  }

  /**
   * Answers a query, or says why it has no right answer.
   *
   * @throws ConfigError if a file of `context/models` that it needs is wrong, or there is none; a BridleError of the warehouse.
   */
  async run(query: MetricQuery, caller: MetricCaller, options: MetricRunOptions = {}): Promise<MetricOutcome> {
    const { leftOut } = this.#models.read();
    const models = this.usable();
    checkNamed(query, leftOut);
    const connection = connectionOf(query, models, caller);
    const compiled = this.#compile(query, models, connection, caller);
    if (compiled.kind === "refused") {
      checkRefused(compiled.refusal, leftOut);
      return compiled;
    }
    if (options.planOnly) return { kind: "planned", ...planOf(compiled, connection) };
    const warehouse = await this.#open(connection, options.signal);
    const context = { scope: caller.scopeOf(connection), signal: options.signal };
    const seen = models.filter(({ table }) => caller.isVisible(table));
    const used = modelsIn(compiled, seen, warehouse);
    const marks = await marksOf(used, warehouse, options.signal);
    const joins = this.#joinContext(models, connection, caller, context);
    const violations = await this.#keys.find(used, warehouse, (model) => marks.get(model), joins);
    const checked = violations.length === 0 ? compiled : this.#compile(query, models, connection, caller, violations);
    if (checked.kind === "refused") return checked;
    const asked = [connection, checked.sql, checked.totals?.sql, checked.columns, context.scope, options.maxRows];
    const key = JSON.stringify([...asked, this.#knowledge.version()]);
    const state = [...marks.values()].includes(undefined) ? undefined : JSON.stringify([...marks.values()]);
    const known = this.#results.get(key, state);
    const answer = known ?? (await runExactly(() => runCompiled(checked, warehouse, context, options)));
    if ("reason" in answer) return { kind: "refused", refusal: answer };
    this.#results.set(key, state, answer);
    const plan = planOf(checked, connection);
    const assumptions = [...plan.assumptions, ...assumptionsOf(leftOut)];
    return { kind: "answered", ...plan, ...answer, assumptions, isCached: known !== undefined };
  }

  /** Counts the keys of all models of a connection that the data contradict. */
  async findViolations(
    connection: string,
    caller: MetricCaller,
    signal?: AbortSignal,
  ): Promise<readonly KeyViolation[]> {
    const models = this.usable();
    const own = models.filter(({ table }) => table.connection === connection);
    const warehouse = await this.#open(connection, signal);
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
    return { ...context, set: modelSetFor(models, connection, isVisible), dialect: this.#dialectOf(connection) };
  }

  /** All models. Throws ConfigError if a file is wrong. */
  flawless(): readonly PlacedModel[] {
    throwFirst(this.#models.read().problems);
    return this.usable();
  }

  /** The models without what has a fault. Throws ConfigError if there is none. */
  usable(): readonly PlacedModel[] {
    const { models, problems } = this.#models.read();
    if (models.length === 0) {
      throwFirst(problems);
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

  #dialectOf(connection: string) {
    const facts = this.#knowledge.connections().find(({ name }) => name === connection);
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

/** A refusal in place of an error that keeps a number from being wrong. */
async function runExactly(run: () => Promise<AnswerParts | MetricRefusal>): Promise<AnswerParts | MetricRefusal> {
  try {
    return await run();
  } catch (error) {
    const refusal = exactnessRefusal(error);
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Runs the statements, unless their numbers would be those of digests. */
async function runCompiled(
  { sql, columns, totals }: CompiledQuery,
  warehouse: Warehouse,
  { scope, signal }: QueryContext,
  { maxRows }: MetricRunOptions,
): Promise<AnswerParts | MetricRefusal> {
  const result = await warehouse.query(sql, { scope, signal, limits: { maxRows } });
  const sensitive = sensitiveIn(sql, result, warehouse);
  if (sensitive !== undefined) {
    const why = `The query needs the sensitive column ${sensitive}, whose values are replaced by digests.`;
    return { reason: "unsupported", message: `${why} Leave it out.` };
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
