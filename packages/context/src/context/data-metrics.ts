import type { MetricQuery, ModelFile, ModelProblem, SemanticModel } from "@bridle/semantic";
import type { TableFiles } from "../files/table-files.ts";
import type { CheckedMetrics } from "../metrics/check-metrics.ts";
import { type CheckedModelFiles, type CheckFilesOptions, checkModelFiles } from "../metrics/check-model-files.ts";
import type { ContextMetrics, ContextMetricsOptions } from "../metrics/context-metrics.ts";
import type { DescribedModel } from "../metrics/describe-models.ts";
import type { MetricRunOptions } from "../metrics/metric-queries.ts";
import type { MetricOutcome } from "../metrics/metric-query-types.ts";
import { ModelFolder } from "../metrics/model-folder.ts";
import type { PlacedModel } from "../metrics/model-table.ts";
import { type ModelProposalRequest, type ModelProposals, proposeModels } from "../proposals/models/propose-models.ts";
import type { CallerScopes } from "./caller-scopes.ts";
import type { CallerOptions, OpenContextOptions } from "./context-options.ts";
import {
  checkCaller,
  checkMetricCheck,
  checkMetricFiles,
  checkMetricQuery,
  checkModelProposals,
} from "./option-checks.ts";

const checkList = checkCaller("metrics.list");

/** The parts of a data context that its metrics use. */
interface MetricParts {
  readonly options: OpenContextOptions;
  readonly metrics: ContextMetrics;
  readonly sources: ContextMetricsOptions;
  readonly scopes: CallerScopes;
  readonly files: TableFiles;
}

/** The metrics of a data context: the models of `context/models`, and queries over them. */
export class DataMetrics {
  readonly #parts: MetricParts;

  /** Use `metrics` of an opened context instead. */
  constructor(parts: MetricParts) {
    this.#parts = parts;
  }

  /**
   * Answers a query over the models of `context/models`, or explains why the query has no correct answer.
   *
   * @throws ConfigError if a model is invalid or missing; a BridleError of the warehouse.
   */
  async query(query: MetricQuery, options: MetricRunOptions & CallerOptions = {}): Promise<MetricOutcome> {
    checkMetricQuery(options);
    const { metrics, scopes } = this.#parts;
    return metrics.query(query, scopes.callerOf(options), options);
  }

  /** Lists the models that a caller may see. Throws ConfigError if a model is invalid, or the project has no models. */
  list(options: CallerOptions = {}): readonly DescribedModel[] {
    checkList(options);
    const { metrics, scopes } = this.#parts;
    return metrics.list(scopes.callerOf(options));
  }

  /** The problems in the files of `context/models`. */
  get problems(): readonly ModelProblem[] {
    return this.#parts.metrics.problems;
  }

  /**
   * Returns the connection, table and columns of a model that is not in `context/models` yet, or a sentence about the model's problem.
   * Undefined if nothing has been scanned.
   */
  place(model: SemanticModel): PlacedModel | string | undefined {
    return this.#parts.metrics.place(model);
  }

  /** Checks the declared keys of all models by counting in the data, and runs each measure and metric. Rejects like `query`. */
  async check(options: CallerOptions & Pick<MetricRunOptions, "signal"> = {}): Promise<CheckedMetrics> {
    checkMetricCheck(options);
    const { metrics, scopes } = this.#parts;
    return metrics.check(scopes.callerOf(options), options.signal);
  }

  /** Checks model files as if they were the project's, and runs their measures. Writes nothing. Rejects like `query`. */
  async checkFiles(files: readonly ModelFile[], options: CheckFilesOptions = {}): Promise<CheckedModelFiles> {
    checkMetricFiles(options);
    const { sources, scopes } = this.#parts;
    return checkModelFiles(files, sources, scopes.callerOf(), options);
  }

  /** Drafts models of scanned tables, and runs their measures. Writes nothing. Rejects like `proposeModels`. */
  async propose(request: ModelProposalRequest = {}): Promise<ModelProposals> {
    checkModelProposals(request);
    const { options, sources, scopes, files } = this.#parts;
    const folder = new ModelFolder(options).read();
    const { joins: decisions } = files.read();
    return proposeModels({ ...request, ...sources, folder, decisions, caller: scopes.callerOf() });
  }
}
