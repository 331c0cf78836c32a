import { join } from "node:path";
import type { MetricQuery, ModelProblem, SemanticModel } from "@bridle/semantic";
import type { Warehouse } from "@bridle/warehouse";
import type { ContextFolder } from "../facts/context-folder.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import { type CheckedMetrics, checkMetrics } from "./check-metrics.ts";
import { type DescribedModel, describeModel } from "./describe-models.ts";
import { MetricModels, type ReadMetricModels } from "./metric-models.ts";
import {
  type MetricCaller,
  MetricQueries,
  type MetricQueriesOptions,
  type MetricRunOptions,
} from "./metric-queries.ts";
import type { MetricOutcome } from "./metric-query-types.ts";
import { ModelFolder } from "./model-folder.ts";
import type { PlacedModel } from "./model-table.ts";
import { placeImportedModel } from "./place-imported-model.ts";
import { resultsFileName, StoredResults } from "./results/stored-results.ts";
import { StatementColumns } from "./statement-columns.ts";
import { withVisibleEntries } from "./visible-entries.ts";

export interface ContextMetricsOptions extends Pick<ContextFolder, "projectDir"> {
  readonly knowledge: Knowledge;
  readonly connections: readonly string[];
  openWarehouse(name: string, signal?: AbortSignal): Promise<Warehouse>;
}

/** Options for metrics that store earlier results in the state folder. */
export type StoredMetricsOptions = ContextMetricsOptions &
  Pick<ContextFolder, "stateDir"> & { readonly identityOf: MetricQueriesOptions["identityOf"] };

/** The models of `context/models`, and queries over them. */
export class ContextMetrics {
  readonly #models: MetricModels;
  readonly #queries: MetricQueries;
  readonly #options: ContextMetricsOptions;
  readonly #results: StoredResults;

  constructor(options: StoredMetricsOptions) {
    const { projectDir, stateDir, knowledge, connections, openWarehouse, identityOf } = options;
    this.#options = options;
    const results = new StoredResults(join(stateDir, "context", resultsFileName));
    const statements = new StatementColumns({ results, knowledge, identityOf });
    const models = new MetricModels(new ModelFolder({ projectDir }), knowledge, connections, statements);
    this.#results = results;
    this.#models = models;
    this.#queries = new MetricQueries({ models, knowledge, statements, results, openWarehouse, identityOf });
  }

  /** Whether the project has model files, valid or not. */
  get exist(): boolean {
    return this.#models.exist;
  }

  /** Reads the models for a search. Never throws: returns no models if a file is invalid. */
  read(): ReadMetricModels {
    return this.#models.read();
  }

  /** The problems in the files. */
  get problems(): readonly ModelProblem[] {
    return this.#models.read().problems;
  }

  /** Finds the table of a model that is not in the files yet. Returns undefined if nothing has been scanned. */
  place(model: SemanticModel): PlacedModel | string | undefined {
    return placeImportedModel(model, this.#options.knowledge, this.#options.connections);
  }

  /**
   * Returns the models that a caller may see, without the entries that need a hidden table. Throws ConfigError if a file is invalid or
   * missing.
   */
  list({ isVisible }: Pick<MetricCaller, "isVisible">): readonly DescribedModel[] {
    const models = this.#queries.usable();
    const shown = models.filter(({ tables }) => tables.every(isVisible));
    return shown.map((placed) => describeModel(withVisibleEntries(placed, models, isVisible)));
  }

  /** Answers a query. Rejects with a ConfigError if a file is invalid or missing, or with the warehouse's BridleError. */
  query(query: MetricQuery, caller: MetricCaller, options?: MetricRunOptions): Promise<MetricOutcome> {
    return this.#queries.run(query, caller, options);
  }

  close(): void {
    this.#results.close();
  }

  /** Checks declared keys by counting, and runs each measure. Rejects like `query`. */
  check(caller: MetricCaller, signal?: AbortSignal): Promise<CheckedMetrics> {
    return checkMetrics(this.#queries, caller, signal);
  }
}
