/** Answers queries over models: compiles them, checks the keys in the data, and runs the statement with the caller's scope. */
import { ConfigError } from "@bridle/protocol";
import { type CompiledQuery, compileMetricQuery, type KeyViolation, type MetricQuery } from "@bridle/semantic";
import type { TableScope, Warehouse } from "@bridle/warehouse";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { IsVisible } from "../knowledge/known.ts";
import { type JoinCheckContext, KeyChecks } from "./key-checks.ts";
import { assumptionsOf, checkNamed, checkRefused, throwFirst } from "./left-out-models.ts";
import { type MetricModels, modelSetFor } from "./metric-models.ts";
import type { MetricOutcome, QueryContext } from "./metric-query-types.ts";
import type { PlacedModel } from "./model-table.ts";
import { marksOf, modelsIn } from "./models-in-use.ts";
import { AnswerCache } from "./results/answer-cache.ts";
import { planOf, runCompiled } from "./results/run-compiled.ts";
import { StoredResults } from "./results/stored-results.ts";
import type { StatementColumns } from "./statement-columns.ts";

/** The caller of a query. */
export interface MetricCaller {
  readonly isVisible: IsVisible;
  scopeOf(connection: string): TableScope;
}

export interface MetricRunOptions {
  readonly signal?: AbortSignal | undefined;
  /** The maximum number of rows. Default: the connection's limit. */
  readonly maxRows?: number | undefined;
  /** Whether to compile only, without a connection. Default: false. */
  readonly planOnly?: boolean | undefined;
  /** Whether to compute the answer again even if the data have not changed. Default: false. */
  readonly noCache?: boolean | undefined;
}

export interface MetricQueriesOptions {
  readonly models: MetricModels;
  readonly knowledge: Knowledge;
  openWarehouse(name: string, signal?: AbortSignal): Promise<Warehouse>;
  /** The columns of models that are based on a statement. */
  readonly statements: StatementColumns;
  /** Earlier results. Default: the results of this object only. */
  readonly results?: StoredResults | undefined;
  /** Identifies the database and account of a connection. Default: the connection's name. */
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
   * Answers a query, or explains why no answer would be right.
   *
   * @throws ConfigError if a file of `context/models` that the query needs is invalid or missing; the warehouse's BridleError.
   */
  async run(query: MetricQuery, caller: MetricCaller, options: MetricRunOptions = {}): Promise<MetricOutcome> {
    const connection = connectionOf(query, this.usable(), caller);
    await this.#runStatements(connection, caller, options);
    const { leftOut } = this.#options.models.read();
    const models = this.usable();
    checkNamed(query, leftOut);
    const compiled = this.#compile(query, models, connection, caller);
    if (compiled.kind === "refused") {
      checkRefused(compiled.refusal, leftOut);
      return compiled;
    }
    const context = { scope: caller.scopeOf(connection), signal: options.signal };
    if (options.planOnly) {
      const storedAt = this.#answers.storedAt(this.#keyOf(compiled, connection, context, options));
      return { kind: "planned", ...planOf(compiled, connection), storedAt };
    }
    const warehouse = await this.#options.openWarehouse(connection, options.signal);
    const seen = models.filter(({ tables }) => tables.every(caller.isVisible));
    const used = modelsIn(compiled, seen, warehouse);
    const marks = await marksOf(used, warehouse, options.signal);
    const joins = { ...this.#joinContext(models, connection, caller, context), noCache: options.noCache };
    const violations = await this.#keys.find(used, warehouse, (model) => marks.get(model), joins);
    const checked = violations.length === 0 ? compiled : this.#compile(query, models, connection, caller, violations);
    if (checked.kind === "refused") return checked;
    const key = this.#keyOf(checked, connection, context, options);
    const state = [...marks.values()].includes(undefined) ? undefined : JSON.stringify([...marks.values()]);
    const written = used.flatMap(({ model }) => model.sql ?? []);
    const known = options.noCache ? undefined : this.#answers.get(key, state);
    const answer = known ?? (await runCompiled(checked, warehouse, context, { maxRows: options.maxRows, written }));
    if ("reason" in answer) return { kind: "refused", refusal: answer };
    if (known === undefined) this.#answers.set(key, state, answer);
    const plan = planOf(checked, connection);
    const assumptions = [...plan.assumptions, ...assumptionsOf(leftOut)];
    return { kind: "answered", ...plan, ...answer, assumptions, isCached: known !== undefined };
  }

  /** Returns a key for a request: the database, the query, the caller's scope, and the version of the knowledge. */
  #keyOf(
    { sql, totals, columns }: CompiledQuery,
    connection: string,
    { scope }: QueryContext,
    { maxRows }: MetricRunOptions,
  ): string {
    const asked = [this.#identityOf(connection), sql, totals?.sql, columns, scope, maxRows];
    return JSON.stringify([...asked, this.#options.knowledge.rulesVersion()]);
  }

  /** Runs the statements of models that have not run yet, so that their columns are known. Rejects like `run`. */
  async runStatements(caller: MetricCaller, options: MetricRunOptions): Promise<void> {
    for (const connection of new Set(this.usable().map((model) => model.connection)))
      await this.#runStatements(connection, caller, options);
  }

  /** Runs statements like `runStatements`, but returns the reason for each one that cannot be run. */
  async findBrokenStatements(
    caller: MetricCaller,
    signal?: AbortSignal,
  ): Promise<readonly { readonly model: string; readonly reason: string }[]> {
    const { statements, openWarehouse } = this.#options;
    const broken: { readonly model: string; readonly reason: string }[] = [];
    for (const model of this.usable().filter((each) => hasOpenStatement(each, caller))) {
      const context = { scope: caller.scopeOf(model.connection), signal };
      try {
        await statements.run(model, await openWarehouse(model.connection, signal), context);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        broken.push({ model: model.model.name, reason: error.message });
      }
    }
    return broken;
  }

  async #runStatements(connection: string, caller: MetricCaller, options: MetricRunOptions): Promise<void> {
    const { statements, openWarehouse } = this.#options;
    const own = this.usable().filter((model) => model.connection === connection);
    for (const model of own.filter((each) => hasOpenStatement(each, caller))) {
      const { name } = model.model;
      if (options.planOnly) {
        const message = `The columns of the model ${name} are not known, because its sql has not run yet. Run "bridle metrics validate".`;
        throw new ConfigError(message, { field: name });
      }
      const context = { scope: caller.scopeOf(connection), signal: options.signal };
      await statements.run(model, await openWarehouse(connection, options.signal), context);
    }
  }

  /** Finds the keys in a connection's models that the data contradict. */
  async findViolations(
    connection: string,
    caller: MetricCaller,
    signal?: AbortSignal,
  ): Promise<readonly KeyViolation[]> {
    const models = this.usable();
    const own = models.filter((each) => each.connection === connection);
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
      ...context,
      set: modelSetFor(models, connection, isVisible),
      dialect: this.#dialectOf(connection),
      identity: this.#identityOf(connection),
    };
  }

  /** Returns all models. Throws ConfigError if a file is invalid. */
  flawless(): readonly PlacedModel[] {
    throwFirst(this.#options.models.read().problems);
    return this.usable();
  }

  /** Returns the models without faulty entries. Throws ConfigError if no model remains. */
  usable(): readonly PlacedModel[] {
    const { models, problems } = this.#options.models.read();
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

  #identityOf(connection: string): string {
    return JSON.stringify([connection, this.#options.identityOf?.(connection)]);
  }

  #dialectOf(connection: string) {
    const facts = this.#options.knowledge.connections().find(({ name }) => name === connection);
    if (facts === undefined) throw new ConfigError(`The connection ${connection} has not been scanned.`, {});
    return facts.dialect;
  }
}

/** Returns the connection of the first measure's model. If that model is unknown, returns the connection of the first model. */
function connectionOf(
  { measures }: MetricQuery,
  models: readonly PlacedModel[],
  { isVisible }: Pick<MetricCaller, "isVisible">,
): string {
  const visible = models.filter(({ tables }) => tables.every(isVisible));
  const [first] = Array.isArray(measures) ? measures : [];
  const name = typeof first === "string" ? first : first?.measure;
  const found = visible.find(({ model }) => name === model.name || name?.startsWith(`${model.name}.`));
  return (found ?? visible[0] ?? models[0])?.connection ?? "";
}

/** Whether the columns of a model are unknown because its statement has not run yet. */
function hasOpenStatement({ kind, columns, tables }: PlacedModel, { isVisible }: MetricCaller): boolean {
  return kind === "sql" && columns === undefined && tables.every(isVisible);
}
