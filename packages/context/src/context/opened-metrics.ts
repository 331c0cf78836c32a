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
import type { DataMetrics } from "./context-parts.ts";
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

export class OpenedMetrics implements DataMetrics {
  readonly #parts: MetricParts;

  constructor(parts: MetricParts) {
    this.#parts = parts;
  }

  async query(query: MetricQuery, options: MetricRunOptions & CallerOptions = {}): Promise<MetricOutcome> {
    checkMetricQuery(options);
    const { metrics, scopes } = this.#parts;
    return metrics.query(query, scopes.callerOf(options), options);
  }

  list(options: CallerOptions = {}): readonly DescribedModel[] {
    checkList(options);
    const { metrics, scopes } = this.#parts;
    return metrics.list(scopes.callerOf(options));
  }

  get problems(): readonly ModelProblem[] {
    return this.#parts.metrics.problems;
  }

  place(model: SemanticModel): PlacedModel | string | undefined {
    return this.#parts.metrics.place(model);
  }

  async check(options: CallerOptions & Pick<MetricRunOptions, "signal"> = {}): Promise<CheckedMetrics> {
    checkMetricCheck(options);
    const { metrics, scopes } = this.#parts;
    return metrics.check(scopes.callerOf(options), options.signal);
  }

  async checkFiles(files: readonly ModelFile[], options: CheckFilesOptions = {}): Promise<CheckedModelFiles> {
    checkMetricFiles(options);
    const { sources, scopes } = this.#parts;
    return checkModelFiles(files, sources, scopes.callerOf(), options);
  }

  async propose(request: ModelProposalRequest = {}): Promise<ModelProposals> {
    checkModelProposals(request);
    const { options, sources, scopes, files } = this.#parts;
    const folder = new ModelFolder(options).read();
    const { joins: decisions } = files.read();
    return proposeModels({ ...request, ...sources, folder, decisions, caller: scopes.callerOf() });
  }
}
