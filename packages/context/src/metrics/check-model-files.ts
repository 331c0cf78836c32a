import { sha256 } from "@bridle/core";
import type { ModelFile, ModelProblem } from "@bridle/semantic";
import { describeViolation, runMeasures } from "./check-metrics.ts";
import type { ContextMetricsOptions } from "./context-metrics.ts";
import { MetricModels } from "./metric-models.ts";
import { type MetricCaller, MetricQueries } from "./metric-queries.ts";
import { StoredResults } from "./results/stored-results.ts";
import { StatementColumns } from "./statement-columns.ts";

/** The problems in model files, which need not be written yet. */
export interface CheckedModelFiles {
  /** The problems in the files. If there are any, nothing was run. */
  readonly problems: readonly ModelProblem[];
  /** Models whose statement cannot be run. If there are any, no measure was run, because the columns of these models are unknown. */
  readonly statements: readonly { readonly model: string; readonly reason: string }[];
  /** Measures and metrics without a value, as `model.name`. */
  readonly failing: readonly { readonly name: string; readonly reason: string }[];
  /** Declared keys and joins that the data contradict. */
  readonly violations: readonly {
    readonly model: string;
    readonly join?: string | undefined;
    readonly reason: string;
  }[];
}

export interface CheckFilesOptions {
  /** The measures and metrics to run, as `model.name`. Default: all. */
  readonly measures?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Checks model files as if they were the project's own, and runs measures. Rejects with the warehouse's BridleError. */
export async function checkModelFiles(
  files: readonly ModelFile[],
  { knowledge, connections, openWarehouse }: Omit<ContextMetricsOptions, "projectDir">,
  caller: MetricCaller,
  { measures, signal }: CheckFilesOptions = {},
): Promise<CheckedModelFiles> {
  const folder = { version: sha256(JSON.stringify(files)), files, problems: [] };
  const results = new StoredResults();
  const statements = new StatementColumns({ results, knowledge });
  const models = new MetricModels({ read: () => folder }, knowledge, connections, statements);
  const nothing = { problems: [], statements: [], failing: [], violations: [] };
  const unread = models.read();
  if (unread.problems.length > 0 || unread.models.length === 0) return { ...nothing, problems: unread.problems };
  const queries = new MetricQueries({ models, knowledge, statements, results, openWarehouse });
  const broken = await queries.findBrokenStatements(caller, signal);
  if (broken.length > 0) return { ...nothing, statements: broken };
  const read = models.read(); // now with the columns of statements
  if (read.problems.length > 0) return { ...nothing, problems: read.problems };
  const violations: CheckedModelFiles["violations"][number][] = [];
  for (const connection of new Set(read.models.map((each) => each.connection))) {
    const found = await queries.findViolations(connection, caller, signal);
    violations.push(...found.map((each) => ({ model: each.model, join: each.join, reason: describeViolation(each) })));
  }
  const run = await runMeasures(read.models, queries, caller, signal, (name) => measures?.has(name) ?? true);
  const failing = run.flatMap(({ name, problem }) => (problem === undefined ? [] : [{ name, reason: problem }]));
  return { ...nothing, failing, violations };
}
