/** Finds the semantic models and metrics in the YAML files of a project. */
import { isPlainObject } from "@bridle/protocol";
import type { ModelFile } from "@bridle/semantic/model-parts";
import type { ImportReport } from "../import-report.ts";
import type { LocatedValue } from "../located-value.ts";
import { yamlRoots } from "../yaml-roots.ts";
import {
  type SourceDimension,
  type SourceEntity,
  type SourceMeasure,
  type SourceMetric,
  type SourceModel,
  sourceDimensionSchema,
  sourceEntitySchema,
  sourceMeasureSchema,
  sourceMetricSchema,
  sourceModelSchema,
} from "./metricflow-schema.ts";

/** A parsed construct with its position. */
export interface Placed<Value> {
  readonly value: Value;
  readonly at: LocatedValue;
}

export interface MetricFlowModel {
  readonly source: SourceModel;
  readonly at: LocatedValue;
  readonly entities: readonly Placed<SourceEntity>[];
  readonly dimensions: readonly Placed<SourceDimension>[];
  readonly measures: readonly Placed<SourceMeasure>[];
}

export interface MetricFlowProject {
  readonly models: readonly MetricFlowModel[];
  readonly metrics: readonly Placed<SourceMetric>[];
  /** The documents in all files. */
  readonly roots: readonly LocatedValue[];
}

export function readMetricFlowProject(files: readonly ModelFile[], report: ImportReport): MetricFlowProject {
  const roots = files.flatMap((file) => yamlRoots(file, report));
  for (const root of roots) reportOthers(root, report);
  const models = roots.flatMap((root) => [...root.list("semantic_models"), ...single(root, "semantic_model")]);
  const metrics = roots.flatMap((root) => [...root.list("metrics"), ...single(root, "metric")]);
  return {
    roots,
    models: models.flatMap((at) => readModelOf(at, report)),
    metrics: metrics.flatMap((at) => placed(at, at.parse(sourceMetricSchema, "metric", report))),
  };
}

function single(root: LocatedValue, key: string): readonly LocatedValue[] {
  const child = root.child(key);
  return child ? [child] : [];
}

function readModelOf(at: LocatedValue, report: ImportReport): readonly MetricFlowModel[] {
  const source = at.parse(sourceModelSchema, "semantic model", report);
  if (!source) return [];
  return [
    {
      source,
      at,
      entities: at.list("entities").flatMap((each) => placed(each, each.parse(sourceEntitySchema, "entity", report))),
      dimensions: at
        .list("dimensions")
        .flatMap((each) => placed(each, each.parse(sourceDimensionSchema, "dimension", report))),
      measures: at.list("measures").flatMap((each) => placed(each, each.parse(sourceMeasureSchema, "measure", report))),
    },
  ];
}

function placed<Value>(at: LocatedValue, value: Value | undefined): readonly Placed<Value>[] {
  return value === undefined ? [] : [{ value, at }];
}

const unread: Readonly<Record<string, string>> = {
  saved_queries: "A saved query is not part of a model. Save the query where you run it.",
  saved_query: "A saved query is not part of a model. Save the query where you run it.",
};

/** Reports parts of a file that belong to the semantic layer but are not read. */
function reportOthers(root: LocatedValue, report: ImportReport): void {
  for (const [key, reason] of Object.entries(unread)) {
    const found = root.child(key);
    if (found) report.add("refused", key, reason, found.position);
  }
  for (const model of root.list("models")) {
    if (!isPlainObject(model.value)) continue;
    const semantic = model.child("semantic_model");
    if (semantic && semantic.value !== false)
      report.add(
        "refused",
        model.subject("semantic model"),
        "It is written in the specification of dbt 1.12, which is not read yet. Use semantic_models.",
        semantic.position,
      );
  }
}
