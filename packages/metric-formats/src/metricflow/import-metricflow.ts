/** Imports semantic models and metrics from MetricFlow's and dbt's YAML. */
import type { ModelFile, SemanticModel } from "@bridle/semantic/model-parts";
import { type ImportFinding, ImportReport, inOrder } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import type { PlaceOfEntry } from "../metric-format.ts";
import { withoutUnusable } from "../without-unusable.ts";
import { joinsOf } from "./convert-joins.ts";
import { MetricConverter } from "./convert-metrics.ts";
import { convertModel, type MetricFlowOptions } from "./convert-model.ts";
import type { LinkedModel } from "./element-names.ts";
import { ElementPaths } from "./element-paths.ts";
import { MetricFlowPlaces } from "./metricflow-places.ts";
import type { SourceMetric } from "./metricflow-schema.ts";
import { renamedMeasure } from "./owned-measures.ts";
import { MetricFlowQueries } from "./queries/metricflow-queries.ts";
import { type MetricFlowProject, type Placed, readMetricFlowProject } from "./read-project.ts";
import { readTimeSpines } from "./time-spines.ts";

export interface MetricFlowImport {
  readonly models: readonly SemanticModel[];
  /** The findings, in the order of the files and their lines. */
  readonly findings: readonly ImportFinding[];
  /** Returns the position of a model, or of a model's entry, in the files. */
  readonly placeOf: PlaceOfEntry;
  /** Translates queries that use MetricFlow's names. */
  readonly queries: MetricFlowQueries;
}

/** Reads YAML files of one project without executing anything in them. Does not throw for invalid files. */
export function importMetricFlow(files: readonly ModelFile[], options: MetricFlowOptions = {}): MetricFlowImport {
  const report = new ImportReport();
  const project = withoutDuplicates(readMetricFlowProject(files, report), report);
  const bare = project.models.flatMap((model) => convertModel(model, options, report) ?? []);
  const kept = project.models.filter(({ source }) => bare.some(({ name }) => name === source.name));
  const linked = new Map(
    kept.map((model): [string, LinkedModel] => [model.source.name, { model, joins: joinsOf(model, kept, report) }]),
  );
  const joined = bare.map((model) => withJoins(renameMeasures(model, project), linked));
  const places = new MetricFlowPlaces(linked, project);
  const usable = withoutUnusable(joined, report, (model, kind, name) => places.of(model, `${kind}s`, name));
  const spines = readTimeSpines(project.roots, options, report);
  const paths = new ElementPaths(linked, spines);
  const converter = new MetricConverter(usable, linked, paths, project.metrics);
  converter.convertAll(report);
  const queries = new MetricFlowQueries([...usable, ...spines.map(({ model }) => model)], converter, paths, spines);
  const findings = inOrder(report.findings, files);
  return { models: queries.models, findings, queries, placeOf: (...entry) => places.of(...entry) };
}

/** Keeps the first of several models, measures or metrics with the same name. Measure names are unique in the whole project. */
function withoutDuplicates({ models, metrics, roots }: MetricFlowProject, report: ImportReport): MetricFlowProject {
  const [seenModels, seenMeasures, seenMetrics] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const isFirst = (seen: Set<string>, kind: string, name: string, at: LocatedValue) => {
    const isNew = !seen.has(name);
    seen.add(name);
    if (!isNew)
      report.add("refused", at.subject(kind), "Another one before it has the same name. Rename one.", at.position);
    return isNew;
  };
  const firstOf = (kind: string) => {
    const seen = new Set<string>();
    return ({ value, at }: Placed<{ readonly name: string }>) => isFirst(seen, kind, value.name, at);
  };
  const first = models.filter(({ source, at }) => isFirst(seenModels, "semantic model", source.name, at));
  return {
    roots,
    models: first.map((model) => ({
      ...model,
      entities: model.entities.filter(firstOf("entity")),
      dimensions: model.dimensions.filter(firstOf("dimension")),
      measures: model.measures.filter(({ value, at }) => isFirst(seenMeasures, "measure", value.name, at)),
    })),
    metrics: metrics.filter(({ value, at }) => isFirst(seenMetrics, "metric", value.name, at)),
  };
}

function renameMeasures(model: SemanticModel, { metrics }: MetricFlowProject): SemanticModel {
  const measures = model.measures?.map((measure) => {
    const metric = metrics.find(({ value }) => value.name === measure.name)?.value;
    return metric && !isBare(metric) ? { ...measure, name: renamedMeasure(measure.name), ...exprOf(measure) } : measure;
  });
  return measures ? { ...model, measures } : model;
}

function exprOf({ name, agg, expr }: { readonly name: string; readonly agg?: string; readonly expr?: string }) {
  return expr === undefined && agg !== "count" ? { expr: name } : {};
}

/** Whether the metric only shows its measure of the same name. */
function isBare({ name, type, filter, type_params: { measure } }: SourceMetric): boolean {
  const isFilled = measure?.fill_nulls_with !== undefined && measure.fill_nulls_with !== null;
  return type === "simple" && measure?.name === name && !filter?.length && !measure.filter?.length && !isFilled;
}

function withJoins(model: SemanticModel, linked: ReadonlyMap<string, LinkedModel>): SemanticModel {
  const joins = linked.get(model.name)?.joins.map(({ join }) => join) ?? [];
  return joins.length > 0 ? { ...model, joins } : model;
}
